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
  tiers: TierFields[];
  rules: RuleFields[];
}

type Posted = Record<string, string | string[]>;

/** What was posted, without the rows that were left empty; rules in the order of their numbers. */
export function programFields(values: Posted): ProgramFields {
  return {
    name: String(values.name ?? ""),
    description: String(values.description ?? ""),
    termsUrl: String(values.termsUrl ?? ""),
    isPrimary: "isPrimary" in values,
    tiers: filledRows(values, "tiers", emptyTier),
    rules: filledRows(values, "rules", emptyRule, "order")
      .toSorted((a, b) => Number(a.order) - Number(b.order))
      .map(({ order: _, ...rule }) => rule),
  };
}

/** @param beside another column, which does not fill a row */
function filledRows<Row extends Record<string, string>, Beside extends string = never>(
  values: Posted,
  prefix: string,
  empty: Row,
  beside?: Beside,
): (Row & Record<Beside, string>)[] {
  const names = [...Object.keys(empty), ...(beside === undefined ? [] : [beside])];
  const columns = names.map((name) => [values[`${prefix}.${name}`] ?? []].flat());
  const length = Math.max(...columns.map((column) => column.length));
  const rows = Array.from({ length }, (_, i) =>
    Object.fromEntries(names.map((name, n) => [name, columns[n]![i] ?? ""])),
  ) as (Row & Record<Beside, string>)[];
  return rows.filter((row) =>
    Object.entries(empty).some(([name, usual]) => row[name]!.trim() !== "" && row[name] !== usual),
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
  tiers: [{ ...emptyTier, name: "Member", thresholdPoints: "0" }],
  // In the merchant's own words: shoppers are told them beside the points, which may be changed.
  rules: [{ ...emptyRule, pointsPerUnit: "1" }],
};
