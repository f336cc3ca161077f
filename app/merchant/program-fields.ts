// The form of a loyalty programme: its rows of tiers and rules, with empty ones at the end to be filled in or left, so
// that rows are added and dropped without scripts.
import type { loader } from "~/routes/merchant.stores.$slug.loyalty";

export type Program = Awaited<ReturnType<typeof loader>>[number];

/** A row as it looks before anything is typed. */
const emptyTier = { name: "", thresholdPoints: "", multiplier: "1", perks: "" };
const emptyRule = { basis: "", pointsPerUnit: "", bonusPoints: "0", productType: "", brand: "" };
export type TierFields = typeof emptyTier;
export type RuleFields = typeof emptyRule;

export interface ProgramFields {
  name: string;
  description: string;
  termsUrl: string;
  isPrimary: boolean;
  /** "on" where the form showed it so. */
  wasPrimary: string;
  shown: string;
  tiers: TierFields[];
  rules: RuleFields[];
}

type Posted = Record<string, string | string[]>;

/** What was posted, without the rows that were left empty; rules in the order of their positions. */
export function programFields(values: Posted): ProgramFields {
  return {
    name: String(values.name ?? ""),
    description: String(values.description ?? ""),
    termsUrl: String(values.termsUrl ?? ""),
    isPrimary: "isPrimary" in values,
    wasPrimary: String(values.wasPrimary ?? ""),
    shown: String(values.shown ?? ""),
    tiers: filledRows(values, "tiers", emptyTier).map(({ row }) => row),
    rules: filledRows(values, "rules", { ...emptyRule, order: null })
      .map(placed)
      .toSorted(byPlace)
      .map(({ rule }) => rule),
  };
}

/** A rule, where it stood and where it is to stand: there too, if it has no position that can be read. */
function placed({ n, row: { order, ...rule } }: { n: number; row: RuleFields & { order: string } }) {
  const to = order.trim() === "" ? Number.NaN : Number(order);
  return { rule, from: n, to: Number.isFinite(to) ? to : n };
}
type Placed = ReturnType<typeof placed>;

/** What is moved to another's position takes it: moved up, it comes before the other; moved down, after it. */
const byPlace = (a: Placed, b: Placed) => a.to - b.to || Math.sign(a.to - a.from) - Math.sign(b.to - b.from);

/**
 * @param empty what stands in each column before anything is typed; null where nothing that is typed fills a row
 * @returns each row with its number in the form, from 1
 */
function filledRows<Name extends string>(
  values: Posted,
  prefix: string,
  empty: Record<Name, string | null>,
): { n: number; row: Record<Name, string> }[] {
  const names = Object.keys(empty) as Name[];
  const columns = names.map((name) => [values[`${prefix}.${name}`] ?? []].flat());
  const length = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length }, (_, i) => ({
    n: i + 1,
    row: Object.fromEntries(names.map((name, n) => [name, columns[n]![i] ?? ""])) as Record<Name, string>,
  }));
  return rows.filter(({ row }) =>
    names.some((name) => empty[name] !== null && row[name].trim() !== "" && row[name] !== empty[name]),
  );
}

const SPARE = 2;

/** The rows to show: those that there are, and some to fill in. */
export const tierRows = (tiers: TierFields[]): TierFields[] => [...tiers, ...Array(SPARE).fill(emptyTier)];
export const ruleRows = (rules: RuleFields[]): RuleFields[] => [...rules, ...Array(SPARE).fill(emptyRule)];

/** A programme as its form shows it; with undefined, what a new one begins with. */
export function fieldsOf(program: Program | undefined): ProgramFields {
  if (program === undefined) return newProgram;
  return {
    ...program,
    wasPrimary: program.isPrimary ? "on" : "",
    shown: program.version,
    tiers: program.tiers.map((tier) => ({
      name: tier.name,
      thresholdPoints: String(tier.thresholdPoints),
      multiplier: String(tier.multiplier),
      perks: tier.perks.join("\n"),
    })),
    rules: program.rules.map((rule) => ({
      basis: rule.basis,
      pointsPerUnit: String(rule.pointsPerUnit),
      bonusPoints: String(rule.bonusPoints),
      productType: rule.productType?.join(" > ") ?? "",
      brand: rule.brand ?? "",
    })),
  };
}

const newProgram: ProgramFields = {
  name: "",
  description: "",
  termsUrl: "",
  isPrimary: false,
  wasPrimary: "",
  shown: "",
  tiers: [{ ...emptyTier, name: "Member", thresholdPoints: "0" }],
  // In the merchant's own words: shoppers are told them beside the points, which may be changed.
  rules: [{ ...emptyRule, pointsPerUnit: "1" }],
};
