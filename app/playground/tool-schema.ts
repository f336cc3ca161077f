// Walking a tool's inputSchema: plain JSON Schema of objects, lists and values, without references or alternatives.
export interface ToolSchema {
  type?: string;
  description?: string;
  enum?: string[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, ToolSchema>;
  required?: string[];
  items?: ToolSchema;
  uniqueItems?: boolean;
  [keyword: string]: unknown;
}

export type Path = (string | number)[];

/** What stands at a path of the arguments; undefined where the schema knows nothing of it. */
export function schemaAt(schema: ToolSchema, path: Path): ToolSchema | undefined {
  return path.reduce<ToolSchema | undefined>(
    (at, step) => (typeof step === "number" ? at?.items : at?.properties?.[step]),
    schema,
  );
}

/**
 * The schema as the form reads it: a default becomes a hint instead of a value, so that the arguments stay as short as
 * they are, a list of fixed choices becomes a set of boxes, and a format goes: what is typed is sent as it is.
 */
export function forForm(schema: ToolSchema): ToolSchema {
  const { default: byDefault, format: _, ...rest } = schema;
  return {
    ...rest,
    ...(byDefault === undefined ? {} : { examples: [byDefault] }),
    ...(schema.items ? { items: forForm(schema.items), ...(schema.items.enum ? { uniqueItems: true } : {}) } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, inner]) => [name, forForm(inner)]),
          ),
        }
      : {}),
  };
}

/** Without what an edited form leaves behind: empty groups, and values that were cleared. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => withoutEmpty(item) ?? (typeof item === "object" && item !== null ? {} : item));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== undefined && !(Array.isArray(inner) && inner.length === 0));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
