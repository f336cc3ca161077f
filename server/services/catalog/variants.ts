// What sets the variants of a product apart, and which of them a selection means.
import type { Attribute } from "../../../db/schema/catalog";
import { fold } from "../fold";
import type { AvailabilityStatus } from "./card";

/** Amounts in minor units of `currency`. */
export interface VariantRow {
  ref: number;
  variant_id: string;
  title: string;
  link: string;
  image_link: string | null;
  gtin: string | null;
  color: string | null;
  size: string | null;
  material: string | null;
  pattern: string | null;
  gender: string | null;
  age_group: string | null;
  attributes: Attribute[];
  currency: string;
  price_amount: number;
  sale_amount: number | null;
  availability: AvailabilityStatus;
  availability_date: string | null;
  data_as_of: string;
}

/** A choice: `{name: "color", label: "Red"}`. */
export interface Label {
  name: string;
  label: string;
}

export interface Option {
  name: string;
  /** `exists`: a variant has it, and all else that is selected; `available`: one that can be ordered now. */
  values: { label: string; available: boolean; exists: boolean }[];
}

const looks = ["color", "size", "material", "pattern", "gender", "age_group"] as const;

const levels = { in_stock: 0, preorder: 1, backorder: 1, out_of_stock: 2, discontinued: 3 };
/** Where a variant stands by its stock, as `stock_level()` has it. */
export const stockOf = ({ availability }: VariantRow): number => levels[availability];

const canBeHad = (variant: VariantRow): boolean => stockOf(variant) < levels.out_of_stock;

/** Every choice that a variant stands for, whether it sets it apart or not. */
function labelsOf(variant: VariantRow): Label[] {
  const look = looks.flatMap((name) => (variant[name] === null ? [] : [{ name, label: variant[name] }]));
  const others = variant.attributes.map(({ name, value, unit }) => ({
    name,
    label: unit ? `${value} ${unit}` : value,
  }));
  return [...look, ...others];
}

/** Case and accents do not matter, and `colour` is `color`. */
const isName = (one: string, other: string): boolean =>
  fold(one).replace("colour", "color") === fold(other).replace("colour", "color");

const carries = (variant: VariantRow, { name, label }: Label): boolean =>
  labelsOf(variant).some((own) => isName(own.name, name) && fold(own.label) === fold(label));

/**
 * The names of the choices that tell `variants` apart: what they look like, and of their other attributes as many as it
 * takes. (Every size of a jacket has its own weight, but nobody chooses a weight.)
 */
export function optionNames(variants: readonly VariantRow[]): string[] {
  const chosen = looks.filter(
    (name) => new Set(variants.map((variant) => variant[name] && fold(variant[name]))).size > 1,
  ) as string[];
  for (const name of new Set(variants.flatMap(({ attributes }) => attributes.map((attribute) => attribute.name)))) {
    if (kinds(variants, chosen) === variants.length) break;
    if (kinds(variants, [...chosen, name]) > kinds(variants, chosen)) chosen.push(name);
  }
  return chosen;
}

const kinds = (variants: readonly VariantRow[], names: readonly string[]): number =>
  new Set(
    variants.map((variant) => JSON.stringify(optionsOf(variant, names).map(({ name, label }) => [name, fold(label)]))),
  ).size;

/** What a variant is, in the choices that matter. */
export const optionsOf = (variant: VariantRow, names: readonly string[]): Label[] =>
  names.flatMap((name) => labelsOf(variant).find((own) => isName(own.name, name)) ?? []);

/** The options of a product with their labels: which of them still go with what is selected, and can be ordered. */
export function options(
  variants: readonly VariantRow[],
  names: readonly string[],
  selected: readonly Label[],
): Option[] {
  return names.map((name) => {
    const others = selected.filter((choice) => !isName(choice.name, name));
    const fitting = variants.filter((variant) => others.every((choice) => carries(variant, choice)));
    const labels = new Map(
      variants.flatMap((variant) => optionsOf(variant, [name])).map(({ label }) => [fold(label), label]),
    );
    const values = [...labels.values()].map((label) => {
      const having = fitting.filter((variant) => carries(variant, { name, label }));
      return { label, available: having.some(canBeHad), exists: having.length > 0 };
    });
    return { name, values };
  });
}

/** The variants that are all that is selected, those in stock first, then the cheapest as `cheapestFirst` has it. @param home the store's currency */
export const selection = (variants: readonly VariantRow[], selected: readonly Label[], home: string): VariantRow[] =>
  variants
    .filter((variant) => selected.every((choice) => carries(variant, choice)))
    .sort((a, b) => stockOf(a) - stockOf(b) || byCurrency(a, b, home) || costs(a) - costs(b));

/** The currency `home` before all others. */
export function byCurrency(a: { currency: string }, b: { currency: string }, home: string): number {
  if (a.currency === b.currency) return 0;
  return a.currency === home || (b.currency !== home && a.currency < b.currency) ? -1 : 1;
}

const costs = ({ sale_amount, price_amount }: VariantRow): number => sale_amount ?? price_amount;

/** Of `selected`, what no variant has, whatever else is selected; and the labels that there are of its name. */
export const unknownChoices = (
  variants: readonly VariantRow[],
  selected: readonly Label[],
): { choice: Label; labels: string[] }[] =>
  selected
    .filter((choice) => !variants.some((variant) => carries(variant, choice)))
    .map((choice) => {
      const own = variants.flatMap(labelsOf).filter(({ name }) => isName(name, choice.name));
      return { choice, labels: [...new Set(own.map(({ label }) => label))] };
    });
