// What people type into a form is refused in our words, never in the validator's.
import { expect, it } from "vitest";
import type { z } from "zod";
import { appRouter } from "../../server/trpc/router";

/** Set by pages, not typed: ids, and what is named in an address or a mail's link. */
const notTyped = /^(id|after|attempt|fileName|platform|store|token|tool|slug|version|existing)$|Id$/;
const procedures = appRouter._def.procedures as unknown as Record<
  string,
  { _def: { type: string; inputs: z.ZodObject[] } }
>;
const typedElsewhere = new Set(["merchants.createStore slug"]);
const validators = /^(Too (big|small)|Invalid|Expected|Unrecognized)/;

it("each field that people type into says what is wrong with it in our words", () => {
  const found: string[] = [];
  let typed = 0;
  for (const [name, { _def }] of Object.entries(procedures)) {
    const { type, inputs } = _def;
    const schema = inputs.at(-1);
    if (type !== "mutation" || !schema?.shape) continue;
    for (const value of ["", "?", "x".repeat(300_000)]) {
      const input = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, value]));
      for (const { path, message } of schema.safeParse(input).error?.issues ?? []) {
        const field = `${name} ${path.join(".")}`;
        // Of another kind than text (boxes, rows, dates of a record): no field that is typed into.
        if (/received (string|number|NaN|Date)/.test(message)) continue;
        if (notTyped.test(String(path.at(-1))) && !typedElsewhere.has(field)) continue;
        typed++;
        if (validators.test(message)) found.push(`${field}: ${message}`);
      }
    }
  }
  expect(found).toEqual([]);
  expect(typed).toBeGreaterThan(100);
});
