/** Is it what JSON calls an object, and neither a list nor null? */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
