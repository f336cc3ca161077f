// What to give instead of an argument that a tool does not have, by that name or at that place.
import type { JsonSchema } from "./json-schema";

/** What models call what a tool takes, where neither its place nor its spelling tells; the first that the tool has. */
const called = {
  query: "q search text keywords name title question",
  store_id: "shop merchant",
  product_id: "id item",
  limit: "count top_k max_results page_size per_page",
  cursor: "page offset skip page_token",
  attributes: "color colour size material pattern gender age_group",
  selected: "color colour size material pattern gender age_group variant",
  product_type: "category",
  availability: "in_stock",
  gtin: "ean upc isbn barcode",
  language: "locale",
  min: "gte gt",
  max: "lte lt",
  active_at: "date at as_of",
  quantity: "qty",
};

/** Names are compared without what parts their words: `storeId` is `store_id`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

const meant = new Map<string, string[]>();
for (const [target, names] of Object.entries(called))
  for (const name of names.split(" ").map(plain)) meant.set(name, [...(meant.get(name) ?? []), target]);

interface Place {
  /** Of what is given in one piece: what stands inside a list is given with the list. */
  path: string;
  schema: JsonSchema;
  /** The object that it is in. */
  object: string;
  /** Its name, and that with its object's name before it: `max`, `pricemax`. */
  names: string[];
}

function* placesIn(schema: JsonSchema, path: string[] = [], list?: Place): Generator<Place> {
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const here = [...path, name];
    const names = [plain(name), plain(here.slice(-2).join(""))];
    const place = { path: here.join("."), schema: inner, ...list, object: path.join("."), names };
    yield place;
    yield* placesIn(inner.items ?? inner, here, inner.items ? place : list);
  }
}

/** How alike two names are, from 0 to 1: the share of pairs of letters that they have in common. */
function likeness(one: string, other: string): number {
  if (one === other) return 1;
  const pairs = (text: string) => new Set(Array.from(text.slice(1), (letter, i) => text[i]! + letter));
  const [a, b] = [pairs(one), pairs(other)];
  return (2 * [...a].filter((pair) => b.has(pair)).length) / (a.size + b.size || 1);
}

const ALIKE = 0.5;
const MOST_LETTERS = 40;
const MOST_PLACES = 2;

/**
 * What of the tool's arguments an unknown one may have meant; nothing where none is like it.
 * @param object the path of the object that it is in: `filters.price`, `items.0`
 */
export function instead(tool: JsonSchema, object: string, name: string): string | undefined {
  const wanted = plain(name.slice(0, MOST_LETTERS));
  const places = [...placesIn(tool)].map((place) => ({
    ...place,
    alike: Math.max(...place.names.map((own) => likeness(own, wanted))),
  }));
  const best = Math.max(...places.map(({ alike }) => alike));
  const known = meant
    .get(wanted)
    ?.flatMap((target) => places.find(({ path }) => path === target || path.endsWith(`.${target}`)) ?? [])[0];
  if (known && best < 1) return written(known, wanted === "colour" ? "color" : name);
  if (best < ALIKE) return undefined;
  const likest = places.filter(({ alike }) => alike === best);
  const beside = likest.filter((place) => place.object === object.replace(/\.\d+/g, ""));
  const found = (beside.length > 0 ? beside : likest).map((place) => written(place));
  return [...new Set(found)].slice(0, MOST_PLACES).join(" or ");
}

const written = ({ path, schema }: Place, name?: string) =>
  schema.items || schema.properties ? `${path}: ${shapeOf(schema, name)}` : path;

const MOST_FIELDS = 4;

/** How a value is written: `[{name: "…", values: ["…"]}]`. @param name what a field called name says */
export function shapeOf({ type, items, properties, enum: choices }: JsonSchema, name = "…"): string {
  if (items) return `[${shapeOf(items, name)}]`;
  if (properties) {
    const fields = Object.entries(properties).slice(0, MOST_FIELDS);
    const more = Object.keys(properties).length > MOST_FIELDS ? ", …" : "";
    return `{${fields.map(([key, of]) => `${key}: ${key === "name" ? JSON.stringify(name) : shapeOf(of)}`).join(", ")}${more}}`;
  }
  return type === "string" ? JSON.stringify((choices as string[] | undefined)?.[0] ?? "…") : "…";
}

/** What stands at a path of the arguments. */
export const schemaAt = (schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined =>
  path.reduce<JsonSchema | undefined>((at, step) => at?.items ?? at?.properties?.[String(step)], schema);
