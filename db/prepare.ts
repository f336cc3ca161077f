// Makes Drizzle's statements prepared ones. By itself Drizzle has each parsed and planned anew every time, which takes two round
// trips instead of one (decision 0064).
import type postgres from "postgres";
import { within } from "./compose";

/**
 * A statement with a list has another text for each length of the list, and a connection keeps every text that it has prepared.
 * So statements with more parameters than this are not prepared.
 */
const MOST_PARAMETERS = 24;

type Unsafe = (text: string, parameters?: never[], options?: object) => unknown;

/** The same client, or transaction, whose statements of up to 24 parameters are prepared by its connections. */
export function preparing<Client extends postgres.Sql>(client: Client): Client {
  const unsafe: Unsafe = (text, parameters = [], options) =>
    client.unsafe(text, parameters, { ...options, prepare: parameters.length <= MOST_PARAMETERS });
  const parts: Record<string, unknown> = { unsafe, ...within(client, preparing) };
  return new Proxy(client, {
    get: (target, name) => (typeof name === "string" && parts[name]) || Reflect.get(target, name),
  });
}
