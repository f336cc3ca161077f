// Text that may be JSON: typed by people, or sent by a server.
import { isObject } from "./is-object";

/** Its value; undefined where it is no JSON, which has no such value. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const pretty = (value: unknown) => JSON.stringify(value, null, 2);

/** With line breaks; as it is where it is not JSON. */
export const readable = (text: string): string => rewritten(text, pretty);

/** Without what only people need; as it is where it is not JSON. */
export const compact = (text: string): string => rewritten(text, JSON.stringify);

function rewritten(text: string, write: (value: unknown) => string): string {
  const value = parsed(text);
  return value === undefined ? text : write(value);
}

/** The object, if the text is one. */
export function asObject(text: string): Record<string, unknown> | undefined {
  const value = parsed(text);
  return isObject(value) ? value : undefined;
}
