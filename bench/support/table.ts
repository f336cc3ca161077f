// The one table at the end.
import { availableParallelism, cpus } from "node:os";
import type { Line } from "./bench";
import { median } from "./stats";

/** Above this share of the machine, others have spoilt a measurement. */
const SPOILT = 0.1;

export class Table {
  private readonly lines: Line[] = [];
  private readonly spoilt: string[] = [];
  private measurements = 0;

  /** @param outside the share of the machine that others took, for each measurement of the row */
  add(row: number, lines: Line[], outside: readonly number[]): void {
    this.lines.push(...lines);
    this.measurements += outside.length;
    const bad = outside.filter((share) => share > SPOILT);
    if (bad.length > 0)
      this.spoilt.push(
        `row ${row}: ${bad.length} of ${outside.length} measurements, up to ${percent(Math.max(...bad))} of the machine`,
      );
  }

  text(): string {
    const head = ["#", "work", "measured here", "least – median – greatest", "bar (aim)", "holds"];
    const rows = this.lines.map((line) => [
      line.row,
      line.work,
      line.measured,
      spread(line),
      barOf(line),
      holds(line) ? "yes" : "NO",
    ]);
    const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    return `\n${machine()}\n\n${table}\n\n${this.verdict()}\n`;
  }

  private verdict(): string {
    if (this.spoilt.length === 0)
      return `Others took less than ${percent(SPOILT)} of the machine in all ${this.measurements} measurements.`;
    return `Spoilt by load from outside (more than ${percent(SPOILT)} of the machine): do not trust these.\n${this.spoilt.map((text) => `- ${text}`).join("\n")}`;
  }
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

const machine = (): string =>
  `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? "CPU"}; client, server and PostgreSQL share them.`;

function spread({ values, unit }: Line): string {
  const shown = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toFixed(value < 100 ? 2 : 0),
  );
  return new Set(shown).size === 1 ? `${shown[0]}${unit}` : `${shown.join(" – ")}${unit}`;
}

function barOf({ bar, aim, unit }: Line): string {
  const text = "least" in bar ? `≥ ${bar.least}${unit}` : `≤ ${bar.most}${unit}`;
  return aim === undefined ? text : `${text} (${aim})`;
}

export function holds({ values, bar }: Line): boolean {
  const middle = median(values);
  return "least" in bar ? middle >= bar.least : middle <= bar.most;
}
