// Every bad row of a load, however many: read from its kept file again, so that they need no room of their own.
import type { z } from "zod";
import type { Ctx, Merchant } from "../../context";
import { type CsvColumn, csv } from "../../csv";
import { notFound } from "../../errors";
import { readBack } from "./files";
import type { LoadRef } from "./loads";
import { owns, type Store } from "./own-store";
import { offersOf } from "./read";
import { type FeedIssue, Issues, Refusal } from "./report";

interface Row extends Store {
  fileId: string | null;
  fileName: string;
  startedAt: Date;
  issues: FeedIssue[];
}

/**
 * The errors of a load as CSV, a line at a time; the first thousand once its file is no longer kept.
 * @throws DomainError not_found
 */
export async function badRows(
  ctx: Ctx<Merchant>,
  { storeId, loadId }: z.infer<typeof LoadRef>,
): Promise<{ fileName: string; lines: AsyncGenerator<string> }> {
  const { sql, actor } = ctx;
  const [row] = await sql<Row[]>`
    select s.id, s.currency, s.currencies, l.file_id as "fileId", l.file_name as "fileName", l.started_at as "startedAt", l.issues
    from feed_loads l join stores s on s.id = l.store_id
    where l.id = ${loadId} and l.store_id = ${storeId} and l.finished_at is not null and ${owns(sql, actor)}`;
  if (!row) throw notFound("load");
  const name = row.fileName.replace(/[^\w.-]+/g, "-").replace(/(\.\w{1,5}){0,2}$/, "");
  return { fileName: `${name || "feed"}-bad-rows.csv`, lines: csv(columns, one(errorsOf(ctx, row))) };
}

const columns: CsvColumn<FeedIssue>[] = [
  { header: "line", cell: ({ line }) => (line === 0 ? null : line) },
  { header: "field", cell: ({ field }) => field },
  { header: "value", cell: ({ value }) => value },
  { header: "reason", cell: ({ reason }) => reason },
];

async function* one<T>(each: AsyncIterable<T>): AsyncGenerator<T[]> {
  for await (const item of each) yield [item];
}

/** Issues as they are found, none remembered. */
class Passing extends Issues {
  found: FeedIssue[] = [];
  protected override keep(issue: FeedIssue): void {
    if (issue.severity === "error") this.found.push(issue);
  }
}

async function* errorsOf(ctx: Ctx, row: Row): AsyncGenerator<FeedIssue> {
  const whole = row.issues.filter(({ line, severity }) => line === 0 && severity === "error");
  if (!row.fileId) return yield* row.issues.filter(({ severity }) => severity === "error");
  const issues = new Passing();
  const shop = { ...row, now: row.startedAt };
  const source = { content: readBack(ctx, row.fileId), fileName: row.fileName, shop };
  try {
    for await (const _ of offersOf(source, { format: "csv", rows: 0, rejected: 0 }, issues))
      yield* issues.found.splice(0);
    yield* issues.found;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield* issues.found;
  }
  yield* whole;
}
