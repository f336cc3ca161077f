// What tools/list publishes of a tool's arguments, against what the tool takes: a client that keeps to the one is never
// refused by the other.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { tools } from "../../server/tools";
import { check } from "../../server/tools/arguments";
import type { Tool } from "../../server/tools/tool";
import { broken, fitting, type Json } from "../support/arbitraries";

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);

const given = ["01900000-0000-7000-8000-000000000000", "4006381333931", "EUR", "IE", "2026-11-27T09:00:00Z"];

/**
 * What JSON Schema has no words for, so that no published schema says it: rules between arguments and of languages, blanks
 * alone, and whole numbers that JavaScript can't hold.
 */
function isBeyondSchema(issue: z.core.$ZodIssue): boolean {
  switch (issue.code) {
    case "custom":
      return true;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1;
    case "too_big":
      return issue.maximum === Number.MAX_SAFE_INTEGER;
    default:
      return false;
  }
}

/** Nor for text that PostgreSQL can't hold. */
const isUnstorable = ({ message }: { message: string }): boolean => /NUL|surrogate/.test(message);

/** As a tool reads it: blanks around a text are none of it, and a search takes one GTIN alone for a list of it. */
const read = (tool: Tool, args: Json): unknown =>
  JSON.parse(JSON.stringify(args), (name, value) => {
    if (typeof value !== "string") return value;
    return name === "gtin" && tool.name === "search_products" ? [value.trim()] : value.trim();
  });

describe.each(tools.map((tool) => [tool.name, tool] as const))("the inputSchema of %s", (_, tool) => {
  const fits = ajv.compile(tool.inputSchema);
  const arbitrary = fitting(tool.inputSchema as Parameters<typeof fitting>[0], given);

  it("is fitted by nothing that is refused, and by all that is taken", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.oneof(arbitrary, broken(arbitrary)), (args) => {
        const { issues } = check(tool, args);
        if (issues.length === 0) taken++;
        if (!fits(args) && !fits(read(tool, args))) expect(issues).not.toEqual([]);
        if (!fits(args)) return;
        const refused = tool.input.safeParse(args).error?.issues ?? [];
        expect(refused.filter((issue) => !isBeyondSchema(issue))).toEqual([]);
        if (refused.length === 0) expect(issues.filter((issue) => !isUnstorable(issue))).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(taken).toBeGreaterThan(0);
  });
});

it("a text is as long as its schema counts it: by characters, however many units of JavaScript's each takes", () => {
  const tool = tools.find(({ name }) => name === "search_products")!;
  const fits = ajv.compile(tool.inputSchema);
  for (const [length, is] of [
    [200, true],
    [201, false],
  ] as const) {
    const args = { query: "😀".repeat(length) };
    expect([fits(args), check(tool, args).issues.length === 0], String(length)).toEqual([is, is]);
  }
});

it("a store_id is a UUID of any version, so that one of ours or nobody's is asked for all the same", () => {
  const tool = tools.find(({ name }) => name === "get_store_info")!;
  for (const store_id of ["11111111-1111-1111-1111-111111111111", "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF"])
    expect(check(tool, { store_id })).toMatchObject({ input: { store_id: store_id.toLowerCase() }, issues: [] });
  expect(check(tool, { store_id: "11111111-1111-1111-1111-11111111111" }).issues).toHaveLength(1);
});
