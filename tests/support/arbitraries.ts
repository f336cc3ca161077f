// What fuzzing sends: values that fit a JSON Schema, the same with something broken in them, and plain junk.
import fc from "fast-check";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const texts = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "true",
  "NaN",
  "\0",
  "a\0b",
  "\u202e\u0000\uffff",
  "\ud800",
  "x\udfff",
  "😀".repeat(50),
  "é",
  "ﷺ",
  "<script>alert(1)</script>",
  "' or 1=1 --",
  "%",
  "%%%_\\",
  "\\",
  "{{x}}$(x)",
  "../../etc/passwd",
  "=1+1",
  "a".repeat(10_000),
  "a ".repeat(3_000),
  "1e309",
  "2026-02-30",
  "2026-13-01T25:61:61Z",
  "0000-00-00",
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:59Z",
  "-000001-01-01T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "01890000-0000-7000-8000-000000000000",
  "http://",
  "http://[::1]:99999",
  "https://user:pw@x.example:0/?a=b#c",
  "javascript:alert(1)",
  "a@b",
  "a@b.example",
  `${"a".repeat(300)}@b.example`,
  "__proto__",
  "constructor",
  "tent",
  "EUR",
  "on",
];

/** A text that has broken something somewhere. */
export const hostile: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

const numbers: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    0.1,
    1e21,
    -1e21,
    1.7976931348623157e308,
    5e-324,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    -(2 ** 63),
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "id", "name", "type", "0", "", "length", "then"),
  fc.string({ maxLength: 10 }),
);

export const junk: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    numbers,
    hostile,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }) as fc.Arbitrary<Json>,
  ),
})).value;

interface Schema {
  type?: string | string[];
  enum?: Json[];
  const?: Json;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** Values that mostly fit a JSON Schema. @param given values that exist, such as ids: used for texts that are long enough */
export function fitting(schema: Schema, given: readonly string[]): fc.Arbitrary<Json> {
  const { anyOf = schema.oneOf ?? schema.allOf, enum: choices, const: only } = schema;
  if (only !== undefined) return fc.constant(only);
  if (choices) return fc.constantFrom(...choices);
  if (anyOf) return fc.oneof(...anyOf.map((each) => fitting(each, given)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object": {
      const required = new Set(schema.required);
      const fields = Object.entries(schema.properties ?? {});
      const all = Object.fromEntries(fields.map(([name, each]) => [name, fitting(each, given)]));
      return fc.record(all, {
        requiredKeys: fields.map(([name]) => name).filter((name) => required.has(name)),
      }) as fc.Arbitrary<Json>;
    }
    case "array": {
      const bounds = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 5, 5) };
      return fc.array(fitting(schema.items ?? {}, given), {
        ...bounds,
        maxLength: Math.max(bounds.minLength, bounds.maxLength),
      });
    }
    case "integer":
    case "number": {
      const least = Math.max(schema.minimum ?? schema.exclusiveMinimum ?? -1000, Number.MIN_SAFE_INTEGER);
      const most = Math.min(schema.maximum ?? least + 1_000_000, Number.MAX_SAFE_INTEGER);
      return fc.integer({ min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.floor(most)) });
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "string":
      return textFor(schema, given);
    default:
      return junk;
  }
}

/** The beginning of the pattern that stands for a UUID. */
const UUID = "^[0-9a-fA-F]{8}(-";

function textFor(
  { format, pattern, minLength = 0, maxLength = 60 }: Schema,
  given: readonly string[],
): fc.Arbitrary<string> {
  const known = fc.constantFrom(...given);
  if (pattern?.startsWith(UUID)) return fc.oneof(known, fc.uuid(), fc.stringMatching(new RegExp(pattern)));
  if (pattern) return fc.oneof({ arbitrary: fc.stringMatching(new RegExp(pattern)), weight: 4 }, known);
  if (format === "email") return fc.emailAddress();
  if (format === "uri") return fc.webUrl();
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "date") return fc.constantFrom("2026-01-01", "2024-02-29", "1999-12-31");
  const most = Math.max(minLength, Math.min(maxLength, 60));
  return fc.oneof(
    known,
    fc.constantFrom("tent", "EUR", "IE", "en", "2026-09-26"),
    fc.string({ minLength, maxLength: most }),
    fc.string({ unit: "grapheme", minLength, maxLength: most }),
  );
}

type Break =
  | { kind: "replace" | "add"; at: number; by: Json; name: string }
  | { kind: "remove" | "double"; at: number };

const breaks: fc.Arbitrary<Break[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("replace" as const, "add" as const), at: fc.nat(50), by: junk, name: names }),
    fc.record({ kind: fc.constantFrom("remove" as const, "double" as const), at: fc.nat(50) }),
  ),
  { maxLength: 3 },
);

/** The same values, with up to three things in each broken: replaced, added, removed, doubled, at any depth. */
export const broken = (whole: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(whole, breaks).map(([value, changes]) => changes.reduce(change, structuredClone(value)));

function change(value: Json, made: Break): Json {
  const places = placesIn(value);
  const place = places[made.at % places.length]!;
  if (place.holder === undefined) return made.kind === "replace" ? made.by : value;
  const { holder, key } = place;
  if (made.kind === "replace") set(holder, key, made.by);
  else if (made.kind === "add") Array.isArray(holder) ? holder.push(made.by) : set(holder, made.name, made.by);
  else if (made.kind === "double") set(holder, key, [get(holder, key), get(holder, key)]);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return value;
}

type Holder = Json[] | { [name: string]: Json };
const get = (holder: Holder, key: string) => (holder as Record<string, Json>)[key]!;
/** Also `__proto__`, as a name as any other. */
const set = (holder: Holder, key: string, value: Json) =>
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });

function placesIn(value: Json): { holder?: Holder; key: string }[] {
  const places: { holder?: Holder; key: string }[] = [{ key: "" }];
  const walk = (each: Json) => {
    if (typeof each !== "object" || each === null) return;
    for (const key of Object.keys(each)) {
      places.push({ holder: each, key });
      walk(get(each, key));
    }
  };
  walk(value);
  return places;
}

type Cut = { kind: "flip" | "drop" | "insert" | "repeat" | "cut"; at: number; length: number; bytes: Uint8Array };

const cuts: fc.Arbitrary<Cut[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("flip" as const, "drop" as const, "insert" as const, "repeat" as const, "cut" as const),
    at: fc.nat(100_000),
    length: fc.integer({ min: 1, max: 30 }),
    bytes: fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 6 }),
      fc
        .constantFrom("\0", '"', "\\", "{", "]", ",", "\\u0000", "\\ud800", "1e999", "\r\n", "\t", "<", "&#0;", "﻿")
        .map((text) => new TextEncoder().encode(text)),
    ),
  }),
  { maxLength: 4 },
);

/** The same bytes, with some flipped, left out, put in, repeated or cut off. */
export const damaged = (whole: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Buffer> =>
  fc.tuple(whole, cuts).map(([bytes, damages]) => damages.reduce(damage, Buffer.from(bytes)));

function damage(bytes: Buffer, { kind, at, length, bytes: put }: Cut): Buffer {
  const from = bytes.length === 0 ? 0 : at % bytes.length;
  const [head, middle, tail] = [
    bytes.subarray(0, from),
    bytes.subarray(from, from + length),
    bytes.subarray(from + length),
  ];
  switch (kind) {
    case "flip":
      return Buffer.concat([head, Buffer.from(middle.map((byte) => byte ^ (1 << (at % 8)))), tail]);
    case "drop":
      return Buffer.concat([head, tail]);
    case "insert":
      return Buffer.concat([head, put, middle, tail]);
    case "repeat":
      return Buffer.concat([head, middle, middle, middle, tail]);
    case "cut":
      return Buffer.from(head);
  }
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
