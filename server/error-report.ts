// What may be written down of an error: errors of the database quote what was stored, which may be an address or a hash.
import { pino } from "pino";

/** An error as pino serialises it, without the values that the database's errors quote. What is no Error stays as it is. */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  const { params: _params, detail: _detail, where: _where, ...rest } = told;
  // Drizzle's message ends with the statement's parameters, and whatever has it as its cause repeats it.
  let [message, stack] = [String(told.message), String(told.stack)];
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (!isFailedQuery(each)) continue;
    message = message.replaceAll(each.message, `Failed query: ${each.query}`);
    stack = stack.replaceAll(each.message, `Failed query: ${each.query}`);
  }
  if (error instanceof AggregateError) rest.aggregateErrors = error.errors.map(withoutValues);
  return { ...rest, message, stack };
}

/** Why it failed, in a line. Drizzle's message is the statement with its values; what the database said is its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isFailedQuery(error) && error.cause ? reasonOf(error.cause) : error.message;
}

const isFailedQuery = (error: Error): error is Error & { query: unknown } => "query" in error && "params" in error;
