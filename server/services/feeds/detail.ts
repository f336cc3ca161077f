// Attributes beside the well-known ones: variant_option, product_detail, OpenAI's custom variants, sizes and weights, bundles and what is for adults.
import type { Attribute as ProductAttribute } from "../../../db/schema/catalog";
import type { Attribute } from "./header";
import { clean, cut, isBlank, oneLine, plain, UNREADABLE } from "./plain";
import { planNames } from "./plan";
import { MAX_VALUES, type Value } from "./raw-row";
import type { Reading } from "./reading";
import { ageGroupOf, genderOf, saysYes } from "./vocabulary";

/** What sets variants apart, by Google's names for it. */
export interface Look {
  color: string | undefined;
  size: string | undefined;
  material: string | undefined;
  pattern: string | undefined;
  ageGroup: string | undefined;
  gender: string | undefined;
}

const MAX_ATTRIBUTES = 50;
const looks = new Map<string, keyof Look>([
  ...(["color", "size", "material", "pattern", "gender"] as const).map((name) => [name, name] as const),
  ["colour", "color"],
  ["age_group", "ageGroup"],
]);

export const readLook = (from: Reading): Look => ({
  color: from.word("color"),
  size: from.word("size"),
  material: from.word("material"),
  pattern: from.word("pattern"),
  ageGroup: from.word("age_group"),
  gender: from.word("gender"),
});

/**
 * @param look is completed from `variant_option`, `variant_dict` and the custom variants
 * @param plans how it is paid, which is never cut
 * @returns `options`: all that may set it apart from others of its group, as one text
 */
export function readDetails(
  from: Reading,
  look: Look,
  plans: readonly ProductAttribute[],
): { attributes: ProductAttribute[]; options: string | undefined } {
  // What sets variants apart goes first: it must not be what is cut.
  const apart = [...from.all("variant_option").flatMap(optionsOf), ...customVariants(from), ...variantDict(from)];
  const details = [...apart, ...from.all("product_detail").flatMap(detailsOf)];
  const attributes: ProductAttribute[] = [];
  for (const [rawName, rawValue] of details.slice(0, MAX_VALUES)) {
    const [name, value] = [cut(oneLine(plain(clean(rawName))), 100), cut(oneLine(plain(clean(rawValue))), 500)];
    if (!name || isBlank(value) || (name + value).includes(UNREADABLE)) continue;
    const known = looks.get(name.toLowerCase().replace(/[\s-]/g, "_"));
    if (known) look[known] ??= value;
    else attributes.push({ name, value });
  }
  if (look.gender) look.gender = genderOf(look.gender) ?? asWritten(from, "gender", look.gender);
  if (look.ageGroup) look.ageGroup = ageGroupOf(look.ageGroup) ?? asWritten(from, "age_group", look.ageGroup);
  // Not of the measures: every size of a jacket has its own weight, which sets nothing apart.
  const options = optionsText(look, attributes);
  attributes.push(...readMeasures(from));
  const count = attributes.length + plans.length;
  if (count > MAX_ATTRIBUTES)
    from.warn("product_detail", String(count), `has more than ${MAX_ATTRIBUTES} attributes; cut`);
  return { attributes: [...attributes.slice(0, MAX_ATTRIBUTES - plans.length), ...plans], options };
}

/** All that may set a variant apart, as one text; undefined where there is nothing. @param details without measures */
export function optionsText(look: Look, details: readonly ProductAttribute[]): string | undefined {
  const options = [
    ...Object.entries(look).filter(([, value]) => value !== undefined),
    ...details.map(({ name, value }) => [name, value]),
  ];
  return options.length > 0 ? JSON.stringify(options) : undefined;
}

const values = { gender: "male, female or unisex", age_group: "newborn, infant, toddler, kids or adult" };

/** Kept, since it may be all that sets a variant apart. */
function asWritten(from: Reading, field: keyof typeof values, text: string): string {
  from.warn(field, text, `is not ${values[field]}; kept as written`);
  return text;
}

type Pair = [name: string, value: string];

/** `section:name:value`, several separated by commas; or XML's sub-elements. */
function detailsOf(value: Value): Pair[] {
  if (typeof value !== "string")
    return value.attribute_name ? [[value.attribute_name, value.attribute_value ?? ""]] : [];
  const pairs: Pair[] = [];
  for (const item of value.split(/,(?=[^,:]*:[^,:]*:)/, MAX_VALUES)) {
    const [section, name, ...rest] = item.split(":");
    if (name !== undefined && rest.length > 0) pairs.push([name, rest.join(":")]);
    else if (section && name) pairs.push([section, name]);
  }
  return pairs;
}

/** `Shoe width:narrow,size:8` (support.google.com/merchants/answer/17085214); or XML's sub-elements. */
function optionsOf(value: Value): Pair[] {
  if (typeof value !== "string") return value.name ? [[value.name, value.value ?? ""]] : [];
  return value.split(/,(?=[^,:]*:)/, MAX_VALUES).flatMap((item): Pair[] => {
    const [name = "", ...rest] = item.split(":");
    return rest.length > 0 ? [[name, rest.join(":")]] : [];
  });
}

function customVariants(from: Reading): Pair[] {
  const pairs: Pair[] = [];
  for (const n of [1, 2, 3] as const) {
    const [name, value] = [from.word(`custom_variant${n}_category`), from.word(`custom_variant${n}_option`)];
    // Shopify's, of what comes in no choice.
    if (name && value && value !== "Default Title") pairs.push([name.replaceAll("_", " "), value]);
  }
  return pairs;
}

function optionOf(from: Reading, name: string, value: unknown): Pair[] {
  if (value === null) return [];
  if (typeof value !== "object") return [[name, String(value)]];
  from.warn("variant_dict", JSON.stringify(value), `has no text as its ${name}; left out`);
  return [];
}

/** JSON text, as JSON Lines and CSV have it; or XML's sub-elements. */
function variantDict(from: Reading): Pair[] {
  const [value] = from.all("variant_dict");
  if (value === undefined || value === "") return [];
  if (typeof value === "object") return Object.entries(value);
  try {
    const parsed: unknown = JSON.parse(value);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return Object.entries(parsed).flatMap(([name, of]) => optionOf(from, name, of));
  } catch {
    // told below
  }
  from.warn("variant_dict", value, "is not a JSON object of texts; left out");
  return [];
}

const measured: [Attribute, name: string, unit?: Attribute][] = [
  ["product_weight", "weight", "item_weight_unit"],
  ["product_length", "length", "dimensions_unit"],
  ["product_width", "width", "dimensions_unit"],
  ["product_height", "height", "dimensions_unit"],
  ["dimensions", "dimensions"],
  ["size_system", "size system"],
  ["size_type", "size type"],
  ["energy_efficiency_class", "energy efficiency class"],
  ["multipack", "multipack"],
  ["age_restriction", "age restriction"],
];
/** Of these only a yes says something. */
const flags: [Attribute, name: string][] = [
  ["is_bundle", "bundle"],
  ["adult", "adult"],
];

/** Google's `certification` (support.google.com/merchants/answer/13528839), by which a product is found in the EU's register of energy labels. */
const certified = ["certification_authority", "certification_name", "certification_code"] as const;
const MAX_CERTIFICATIONS = 10;

const measures = new Set(
  [...measured, ...flags].map(([, name]) => name).concat("certification", Object.values(planNames)),
);
/** Is it called as a measure is, or as a way to pay? */
export const isMeasure = ({ name }: ProductAttribute): boolean => measures.has(name);

/** JSON's `{"length": "10", "width": "5", "unit": "cm"}`. */
function boxOf(from: Reading): Readonly<Record<string, string>> | undefined {
  const [value] = from.all("dimensions");
  return typeof value === "object" && ["length", "width", "height"].some((side) => side in value) ? value : undefined;
}

function readCertifications(from: Reading): ProductAttribute[] {
  return from
    .all("certification")
    .slice(0, MAX_CERTIFICATIONS)
    .flatMap((value) => {
      const parts = typeof value === "string" ? value.split(":", 3) : certified.map((part) => value[part] ?? "");
      const said = parts.map((part) => oneLine(plain(clean(cut(part, 100))))).filter((part) => !isBlank(part));
      if (said.length === 0) return [];
      const text = said.join(" ");
      if (said.length > 1 && !text.includes(UNREADABLE)) return [{ name: "certification", value: text }];
      from.warn("certification", text, `is not ${certified.join(":")}; left out`);
      return [];
    });
}

/** Of all there are, which have to be told with a product's own. */
function energyScale(from: Reading): string {
  const [best, worst] = [from.word("max_energy_efficiency_class", 20), from.word("min_energy_efficiency_class", 20)];
  return best && worst ? ` (on a scale from ${best} to ${worst})` : "";
}

function readMeasures(from: Reading): ProductAttribute[] {
  const box = boxOf(from);
  const side = (name: string) => oneLine(plain(clean(cut(box?.[name] ?? "", 100))));
  const told = flags.flatMap(([field, name]) => (saysYes(from.word(field) ?? "") ? [{ name, value: "yes" }] : []));
  const stated = measured.flatMap(([field, name, unitField]) => {
    if (box && field === "dimensions") return [];
    const text = from.word(field, 100) ?? (unitField === "dimensions_unit" ? side(name) : "");
    if (isBlank(text) || text.includes(UNREADABLE)) return [];
    // One is none.
    if (field === "multipack" && /^[01]$/.test(text)) return [];
    if (field === "energy_efficiency_class") return [{ name, value: text + energyScale(from) }];
    const parts = /^(\d+(?:[.,]\d+)?)\s*([\p{L}"'°µ]{1,12})$/u.exec(text);
    if (parts) return [{ name, value: parts[1]!, unit: parts[2]! }];
    const unit = (unitField && from.word(unitField, 20)) || (unitField === "dimensions_unit" && side("unit"));
    return [unit ? { name, value: text, unit } : { name, value: text }];
  });
  return [...stated, ...readCertifications(from), ...told];
}
