// Which statements are prepared. A prepared one takes one round trip instead of two, and is neither parsed nor planned anew; but each
// connection keeps it, with its plan, for as long as it lives.
import type postgres from "postgres";
import { within } from "./compose";

/**
 * A statement with a list has another text for each length of the list, and a connection keeps every text that it has prepared.
 * So statements with more parameters than this are not prepared.
 */
const MOST_PARAMETERS = 24;

type Unsafe = (text: string, parameters?: never[], options?: object) => unknown;

/**
 * The same client, or transaction, whose statements of up to 24 parameters are prepared by its connections: by itself Drizzle
 * prepares none (decision 0064).
 */
export function preparing<Client extends postgres.Sql>(client: Client): Client {
  const unsafe: Unsafe = (text, parameters = [], options) =>
    client.unsafe(text, parameters, { ...options, prepare: parameters.length <= MOST_PARAMETERS });
  const parts: Record<string, unknown> = { unsafe, ...within(client, preparing) };
  return new Proxy(client, {
    get: (target, name) => (typeof name === "string" && parts[name]) || Reflect.get(target, name),
  });
}
