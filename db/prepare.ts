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

/** No connection of postgres.js lives longer. */
const LONGEST_LIFE_MS = 60 * 60_000;

/**
 * The same client, of whose texts no more than `most` are prepared at a time. Beyond these a text is parsed and planned each time that
 * it is sent, until one of them has not been used for as long as a connection lives: so no connection keeps it any more (decision 0088).
 */
export function preparingFew<Client extends postgres.Sql>(client: Client, most: number): Client {
  const unsafe = client.unsafe as Unsafe;
  /** When each was last sent (`performance.now()`), the one that was not for longest first. */
  const sentAt = new Map<string, number>();
  function isPrepared(text: string): boolean {
    const now = performance.now();
    const isOne = sentAt.delete(text);
    if (!isOne && sentAt.size >= most) {
      const [oldest, at] = sentAt.entries().next().value!;
      if (now - at <= LONGEST_LIFE_MS) return false;
      sentAt.delete(oldest);
    }
    sentAt.set(text, now);
    return true;
  }
  const few: Unsafe = (text, parameters, options: { prepare?: boolean } = {}) =>
    unsafe(text, parameters, { ...options, prepare: options.prepare && isPrepared(text) });
  return Object.assign(client, { unsafe: few });
}
