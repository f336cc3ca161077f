// What sets the variants of a product apart, and which of them a selection means.
import type { Attribute } from "../../../db/schema/catalog";
import { fold } from "../fold";
import type { AvailabilityStatus } from "./card";
import { LEVEL_OF } from "./marks";

/** Amounts in minor units of `currency`. */
export interface VariantRow {
  ref: number;
  variant_id: string;
  title: string;
  brand: string | null;
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

/** Where a variant stands by its stock, as `stock_level()` has it. */
export const stockOf = ({ availability }: VariantRow): number => LEVEL_OF[availability];

const canBeHad = (variant: VariantRow): boolean => stockOf(variant) < LEVEL_OF.out_of_stock;

/** A label with what it is compared by: case and accents do not matter, and `colour` is `color`. */
interface Folded extends Label {
  key: string;
  text: string;
}

const keyOf = (name: string): string => fold(name).replace("colour", "color");
const folded = ({ name, label }: Label): Folded => ({ name, label, key: keyOf(name), text: fold(label) });

// A product may have thousands of variants, each of which is compared with each choice.
const known = new WeakMap<VariantRow, Folded[]>();

/** Every choice that a variant stands for, whether it sets it apart or not. */
function labelsOf(variant: VariantRow): Folded[] {
  const found = known.get(variant);
  if (found) return found;
  const look = looks.flatMap((name) => (variant[name] === null ? [] : [{ name, label: variant[name] }]));
  const others = variant.attributes.map(({ name, value, unit }) => ({
    name,
    label: unit ? `${value} ${unit}` : value,
  }));
  const labels = [...look, ...others].map(folded);
  known.set(variant, labels);
  return labels;
}

interface Named {
  first: Folded;
  texts: Set<string>;
}
const named = new WeakMap<VariantRow, Map<string, Named>>();

/** What a variant has under each name. */
function namesOf(variant: VariantRow): Map<string, Named> {
  const found = named.get(variant);
  if (found) return found;
  const all = new Map<string, Named>();
  for (const own of labelsOf(variant)) {
    const same = all.get(own.key);
    if (same) same.texts.add(own.text);
    else all.set(own.key, { first: own, texts: new Set([own.text]) });
  }
  named.set(variant, all);
  return all;
}

const carries = (variant: VariantRow, { key, text }: Folded): boolean =>
  namesOf(variant).get(key)?.texts.has(text) ?? false;

/** How many attributes are looked at, and choices taken: a feed may give each of thousands of variants an attribute of its own. */
const MOST_LOOKED_AT = 100;
const MOST_CHOICES = 20;

/** Which one of those met so far `key` is, in numbers. */
function numberIn<Key>(met: Map<Key, number>, key: Key): number {
  const number = met.get(key) ?? met.size;
  met.set(key, number);
  return number;
}

/**
 * The names of the choices that tell `variants` apart: what they look like, and of their other attributes as many as it
 * takes, `MOST_CHOICES` at most. (Every size of a jacket has its own weight, but nobody chooses a weight.)
 */
export function optionNames(variants: readonly VariantRow[]): string[] {
  const chosen = looks.filter(
    (name) => new Set(variants.map((variant) => variant[name] && fold(variant[name]))).size > 1,
  ) as string[];
  // In numbers: as texts of all that was chosen they would grow with each choice.
  let kinds = { of: variants.map(() => 0), count: 1 };
  const withName = (name: string): typeof kinds => {
    const key = keyOf(name);
    const texts = new Map<string | undefined, number>();
    const pairs = new Map<number, number>();
    const of = variants.map((variant, i) => {
      const text = numberIn(texts, labelNamed(variant, key)?.text);
      return numberIn(pairs, kinds.of[i]! * variants.length + text);
    });
    return { of, count: pairs.size };
  };
  for (const name of chosen) kinds = withName(name);
  const others = new Set(variants.flatMap(({ attributes }) => attributes.map((attribute) => attribute.name)));
  for (const name of [...others].slice(0, MOST_LOOKED_AT)) {
    if (kinds.count === variants.length || chosen.length === MOST_CHOICES) break;
    const finer = withName(name);
    if (finer.count === kinds.count) continue;
    chosen.push(name);
    kinds = finer;
  }
  return chosen;
}

/** What a variant is, in the choices that matter. */
export const optionsOf = (variant: VariantRow, names: readonly string[]): Label[] =>
  names.flatMap((name) => labelNamed(variant, keyOf(name)) ?? []).map(({ name, label }) => ({ name, label }));

const labelNamed = (variant: VariantRow, key: string) => namesOf(variant).get(key)?.first;

/** The options of a product with their labels: which of them still go with what is selected, and can be ordered. */
export function options(
  variants: readonly VariantRow[],
  names: readonly string[],
  selected: readonly Label[],
): Option[] {
  const choices = selected.map(folded);
  return names.map((name) => {
    const key = keyOf(name);
    const others = choices.filter((choice) => choice.key !== key);
    const values = new Map<string, Option["values"][number]>();
    for (const variant of variants) {
      const own = labelNamed(variant, key);
      if (own) values.set(own.text, { label: own.label, available: false, exists: false });
    }
    for (const variant of variants) {
      if (!others.every((choice) => carries(variant, choice))) continue;
      for (const own of labelsOf(variant)) {
        const value = own.key === key ? values.get(own.text) : undefined;
        if (!value) continue;
        value.exists = true;
        value.available ||= canBeHad(variant);
      }
    }
    return { name, values: [...values.values()] };
  });
}

/** The variants that are all that is selected, those in stock first, then the cheapest as `cheapestFirst` has it. @param home the store's currency */
export function selection(variants: readonly VariantRow[], selected: readonly Label[], home: string): VariantRow[] {
  const choices = selected.map(folded);
  return variants
    .filter((variant) => choices.every((choice) => carries(variant, choice)))
    .sort((a, b) => stockOf(a) - stockOf(b) || byCurrency(a, b, home) || costs(a) - costs(b));
}

/** The currency `home` before all others. */
export function byCurrency(a: { currency: string }, b: { currency: string }, home: string): number {
  if (a.currency === b.currency) return 0;
  return a.currency === home || (b.currency !== home && a.currency < b.currency) ? -1 : 1;
}

const costs = ({ sale_amount, price_amount }: VariantRow): number => sale_amount ?? price_amount;

/** Of `selected`, what no variant has, whatever else is selected; and the labels that there are of its name. */
export function unknownChoices(
  variants: readonly VariantRow[],
  selected: readonly Label[],
): { choice: Label; labels: string[] }[] {
  const unknown = selected
    .map((choice) => ({ choice, ...folded(choice) }))
    .filter((choice) => !variants.some((variant) => carries(variant, choice)));
  if (unknown.length === 0) return [];
  const labels = new Map<string, Set<string>>();
  for (const { key, label } of variants.flatMap(labelsOf)) {
    const same = labels.get(key) ?? new Set();
    labels.set(key, same.add(label));
  }
  return unknown.map(({ choice, key }) => ({ choice, labels: [...(labels.get(key) ?? [])] }));
}
