// What may be written down of an error: errors of the database quote what was stored, which may be an address or a hash.
import { pino } from "pino";

/** An error as pino's serializer gives it, without values of the database. */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  const { params: _params, detail: _detail, where: _where, ...rest } = told;
  // Drizzle's message ends with the statement's parameters.
  const statement = "query" in error && "params" in error ? `Failed query: ${error.query}` : error.message;
  const cut = (text: unknown) => String(text).replace(error.message, () => statement);
  return { ...rest, message: cut(told.message), stack: cut(told.stack) };
}
