// The JSON Schemas (2020-12) of a tool's arguments and answer, as tools/list sends them: all of it stands in the context of
// every model that calls us, so nothing is said twice.
import { z } from "zod";
import { fieldWords } from "./field-words";

/** Plain JSON Schema of objects, lists and values, without references. */
export interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  [keyword: string]: unknown;
}

/** In 50 characters what zod says in 80. */
export const UUID = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

/** Of the arguments, as `tools/list` sends it. */
export const inputSchema = (schema: z.ZodType): JsonSchema =>
  jsonSchema(schema, (property) => {
    // Of a model's arguments some providers take no format but a date's; a pattern says the same.
    if (property.format !== "uuid") return;
    delete property.format;
    property.pattern = UUID;
  });

/** Of the answer. Its objects are open unless strict: a field may be added while clients have an older schema. */
export const outputSchema = (schema: z.ZodType): JsonSchema => described(saidOnce(jsonSchema(schema), new Set()));

function jsonSchema(schema: z.ZodType, mend?: (property: z.core.JSONSchema.BaseSchema) => void): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: "input",
    override({ jsonSchema: property }) {
      if (property.format !== undefined) delete property.pattern;
      if (property.minimum === Number.MIN_SAFE_INTEGER) delete property.minimum;
      if (property.maximum === Number.MAX_SAFE_INTEGER) delete property.maximum;
      mend?.(property);
    },
  });
  return rest as JsonSchema;
}

/**
 * `schema` with what the fields of an object mean where it stands first; where an equal one comes again, only what they are.
 * Not by `$ref`, which not every client follows.
 */
function saidOnce({ description, ...shape }: JsonSchema, said: Set<string>): JsonSchema {
  const { properties, items } = shape;
  const key = JSON.stringify(shape);
  const isAgain = properties !== undefined && said.has(key);
  said.add(key);
  const inside = {
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, saidOnce(of, said)])),
    }),
    ...(items && { items: saidOnce(items, said) }),
  };
  return { ...(description && { description }), ...(isAgain ? JSON.parse(key, unsaid) : { ...shape, ...inside }) };
}

/** Each field with a description: its own, or the few words that there are for its name. */
function described(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, of]) => [name, described({ description: fieldWords[name], ...of })]),
      ),
    }),
    ...(items && { items: described(items) }),
  };
}

/** Leaves out what is said of a field; a field may itself be called description. */
const unsaid = (key: string, value: unknown) =>
  key === "description" && typeof value === "string" ? undefined : value;
