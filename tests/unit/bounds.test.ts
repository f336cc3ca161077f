// What comes in is bounded before anything costly is done with it: each text and each list of every procedure and tool.
import { createRequire, syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import { tools } from "../../server/tools";
import { appRouter } from "../../server/trpc/router";

/** More than any body has room for. */
const LONG = 300_000;
/** Harmless, so that a schema that lets one through is told of it rather than waited for. */
const texts = ["ä".repeat(LONG), `a@${"a".repeat(LONG)}.example`, `https://${"a".repeat(LONG)}.example/`];
/** Characters of what is normalised, parsed or looked up by the system's own means: an address of 2,000, and its scheme. */
const MOST = 2_008;

const url = createRequire(import.meta.url)("node:url") as Record<"domainToASCII", (text: string) => string>;
const own = {
  URL: globalThis.URL,
  normalize: String.prototype.normalize,
  domainToASCII: url.domainToASCII,
  getCanonicalLocales: Intl.getCanonicalLocales,
};
let longest = 0;
const note = (text: unknown) => {
  longest = Math.max(longest, String(text).length);
};

/** From here on it is seen how long the texts are that are given to what takes more than linear time. */
beforeEach(() => {
  longest = 0;
  String.prototype.normalize = function (form?: string) {
    note(this);
    return own.normalize.call(this, form);
  };
  url.domainToASCII = (text) => {
    note(text);
    return own.domainToASCII(text);
  };
  syncBuiltinESMExports();
  Intl.getCanonicalLocales = (tags) => {
    note(tags);
    return own.getCanonicalLocales(tags);
  };
  // Made by `new`, or by one of its functions: `URL.parse`, `URL.canParse`.
  globalThis.URL = new Proxy(own.URL, {
    construct(target, [text, base]) {
      note(text);
      return new target(text, base);
    },
    get(target, name) {
      const found = Reflect.get(target, name);
      if (typeof found !== "function") return found;
      return (text: unknown, base: unknown) => {
        note(text);
        return found(text, base);
      };
    },
  });
});
afterEach(() => {
  String.prototype.normalize = own.normalize;
  url.domainToASCII = own.domainToASCII;
  syncBuiltinESMExports();
  Intl.getCanonicalLocales = own.getCanonicalLocales;
  globalThis.URL = own.URL;
});

interface Def {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  options?: Schema[];
  checks?: { _zod: { def: { check: string } } }[];
}
type Schema = { _zod: { def: Def } };

/** What is under the wrappers; of what may be a text or something else, the text. */
function bare(schema: Schema): Def {
  const { def } = schema._zod;
  if (def.innerType) return bare(def.innerType);
  if (def.type === "pipe") return bare(def.in!._zod.def.type === "transform" ? def.out! : def.in!);
  if (def.type !== "union") return def;
  const options = def.options!.map(bare);
  return options.find(({ type }) => type === "string") ?? options[0]!;
}

/** An input that has the text wherever a value stands, with the paths of all of them. */
function filled(schema: Schema, text: string, path: string[] = []): { value: unknown; places: string[] } {
  const { type, shape, element } = bare(schema);
  if (type === "array") {
    const { value, places } = filled(element!, text, [...path, "0"]);
    return { value: [value], places };
  }
  if (type !== "object") return { value: text, places: [path.join(".")] };
  const fields = Object.entries(shape!).map(([name, of]) => [name, filled(of, text, [...path, name])] as const);
  return {
    value: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
    places: fields.flatMap(([, { places }]) => places),
  };
}

/** The paths of the lists that may have any number of elements. */
function endless(schema: Schema, path: string[] = []): string[] {
  const { type, shape, element, checks = [] } = bare(schema);
  if (type === "object") return Object.entries(shape!).flatMap(([name, of]) => endless(of, [...path, name]));
  if (type !== "array") return [];
  const isBounded = checks.some(({ _zod }) => _zod.def.check === "max_length");
  return [...(isBounded ? [] : [path.join(".")]), ...endless(element!, [...path, "0"])];
}

const { procedures } = appRouter._def as unknown as { procedures: Record<string, { _def: { inputs: z.ZodType[] } }> };
const inputs = [
  ...Object.entries(procedures).flatMap(([name, { _def }]) => _def.inputs.map((input) => [name, input] as const)),
  ...tools.map(({ name, input }) => [name, input] as const),
];

describe("what is much too long", () => {
  it.each(inputs)("is refused by name in every text of %s, before it is normalised or parsed", (_, input) => {
    for (const text of texts) {
      const { value, places } = filled(input as unknown as Schema, text);
      const refused = (input.safeParse(value).error?.issues ?? []).map(({ path }) => path.join("."));
      // A list may be refused as a whole.
      const isRefused = (place: string) => refused.some((path) => path !== "" && `${place}.`.startsWith(`${path}.`));
      expect(places.filter((place) => !isRefused(place))).toEqual([]);
    }
    expect(longest).toBeLessThanOrEqual(MOST);
  });

  it.each(inputs)("is no list of %s: each has a most", (_, input) => {
    expect(endless(input as unknown as Schema)).toEqual([]);
  });
});
