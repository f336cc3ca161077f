// What Drizzle asks, prepared: it leaves its statements to be parsed and planned anew each time, in two round trips instead of
// one (decision 0064).
import type postgres from "postgres";
import { within } from "./compose";

/** A list makes a text for each of its lengths, and a connection keeps what it has prepared: long ones stay as they are. */
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
