import { expect, it } from "vitest";
import { forForm, type ToolSchema } from "../../app/playground/tool-schema";
import { tools } from "../../server/tools";

/** The schema, and whatever stands in it. */
const withInner = (schema: ToolSchema): ToolSchema[] => [
  schema,
  ...[...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].flatMap(withInner),
];

it("no argument of any tool has a format in the form, for which it would have a field that changes what is typed", () => {
  const schemas = tools.map(({ inputSchema }) => inputSchema as ToolSchema);
  const formats = (some: ToolSchema[]) => some.flatMap(withInner).flatMap(({ format }) => format ?? []);
  expect(formats(schemas)).toContain("date-time");
  expect(formats(schemas.map(forForm))).toEqual([]);
});
