// Which statements are prepared. A prepared one takes one round trip instead of two, and is neither parsed nor planned anew; but each
// connection keeps it, with its plan, for as long as it lives.
import type postgres from "postgres";
import { type InTurn, within } from "./compose";

/**
 * A statement with a list has another text for each length of the list, and a connection keeps every text that it has prepared.
 * So statements with more parameters than this are not prepared.
 */
const MOST_PARAMETERS = 24;

type Query = ReturnType<postgres.Sql["unsafe"]>;
type Unsafe = (text: string, parameters?: never[], options?: object) => unknown;

/**
 * The same client, or transaction, whose statements of up to 24 parameters are prepared by its connections: by itself Drizzle
 * prepares none (decision 0064).
 * @param inTurn when each of its statements and transactions begins: at once unless told
 */
export function preparing<Client extends postgres.Sql>(client: Client, inTurn?: InTurn): Client {
  const unsafe: Unsafe = (text, parameters = [], options) => {
    const query = client.unsafe(text, parameters, { ...options, prepare: parameters.length <= MOST_PARAMETERS });
    return inTurn ? waiting(query, inTurn) : query;
  };
  const parts: Record<string, unknown> = { unsafe, ...within(client, preparing, inTurn) };
  return new Proxy(client, {
    get: (target, name) => (typeof name === "string" && parts[name]) || Reflect.get(target, name),
  });
}

/** A query as Drizzle asks for it, which begins when its turn has come. */
const waiting = (query: Query, inTurn: InTurn) => ({
  values: () => inTurn(() => query.values()),
  // biome-ignore lint/suspicious/noThenProperty: awaited like a query of postgres.js
  then: (onFulfilled: (rows: unknown) => unknown, onRejected: (error: unknown) => unknown) =>
    inTurn(() => query).then(onFulfilled, onRejected),
});
