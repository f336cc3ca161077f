// Every rate limit there is, by name: callers' here, people's tries in tries.ts. Counted in PostgreSQL (limit-store.ts), so
// exact over all instances.
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Connections } from "../db/client";
import * as clock from "./clock";
import { DomainError } from "./errors";
import {
  CONSUMER_COUNTER,
  countEach,
  countPart,
  limiterOn,
  network,
  type Place,
  refusedKeysOf,
  WINDOW_MS,
} from "./limit-store";
import { coalesce } from "./services/coalesce";
import { createTries } from "./tries";

/** Where a caller stands in its minute, after this request was counted. */
export interface Allowance {
  /** Requests per minute. */
  limit: number;
  remaining: number;
  /** Seconds until the minute ends, rounded up. */
  resetSeconds: number;
}

export const REFUSED_KEYS_PER_MINUTE = 20;

/** A caller that is over its limit stays so until its window ends; this only bounds how many are remembered. */
const MAX_SPENT = 10_000;

export type Limits = ReturnType<typeof createLimits>;

/** @param connections people's tries are counted over `people`, so that no call waits behind a crowd of them */
export function createLimits({ sql, people }: Pick<Connections, "sql" | "people">) {
  const limiter = limiterOn(people);
  const count = coalesce((keys: string[]) => countEach(sql, keys), { max: 1_000, lanes: 2 });
  const malformed = new RateLimiterMemory({ points: REFUSED_KEYS_PER_MINUTE, duration: WINDOW_MS / 1000 });

  /** Callers over their limit: a count only grows until its window ends, so for these there is nothing left to count. */
  const spent = new Map<string, { place: number; until: number }>();

  /** The least place that the caller's next request can have; undefined unless it is known to be over its limit. */
  function placeBeyond(key: string, limit: number): Place | undefined {
    const known = spent.get(key);
    if (!known || known.place < limit) return undefined;
    const msLeft = known.until - clock.now().getTime();
    // Longer than a window it is only where the clock was set back.
    if (msLeft <= 0 || msLeft > WINDOW_MS) return undefined;
    return { place: Math.max(known.place, limit + 1), until: known.until, isRemembered: true };
  }

  /** @throws DomainError rate_limited */
  function refuseSpent(key: string, limit: number, what?: string): void {
    const beyond = placeBeyond(key, limit);
    if (beyond) throw limited(limit, secondsUntil(beyond.until), what);
  }

  /** Counts a request of this caller. @throws DomainError rate_limited */
  async function spend(key: string, limit: number, what?: string): Promise<Allowance> {
    refuseSpent(key, limit, what);
    return allowed(key, limit, await count(key), what);
  }

  /** What a counted request leaves its caller. @throws DomainError rate_limited */
  function allowed(key: string, limit: number, counted: Place, what?: string): Allowance {
    const { place, until, isRemembered } = counted;
    const resetSeconds = secondsUntil(until);
    if (place > limit) {
      if (spent.size >= MAX_SPENT) spent.clear();
      if (!isRemembered) spent.set(key, { place, until });
      throw limited(limit, resetSeconds, what);
    }
    return { limit, remaining: limit - place, resetSeconds };
  }

  /** What the caller has used of its present window, without counting. */
  async function use(key: string): Promise<{ used: number; resetSeconds: number }> {
    const counted = await limiter.get(key);
    return { used: counted?.consumedPoints ?? 0, resetSeconds: Math.ceil((counted?.msBeforeNext ?? 0) / 1000) };
  }

  return {
    /**
     * A consumer's requests over all its keys: more keys give no more of them.
     * @param counted its place, where that is known; else it is counted here
     * @throws DomainError rate_limited
     */
    async consumer(consumerId: string, limit: number, counted?: Place): Promise<Allowance> {
      const key = CONSUMER_COUNTER + consumerId;
      return counted ? allowed(key, limit, counted) : spend(key, limit);
    },

    /** Known without asking the database: that the consumer's next request is beyond its limit, and by how much at least. */
    consumerBeyond: (consumerId: string, limit: number) => placeBeyond(CONSUMER_COUNTER + consumerId, limit),

    /** What of this minute a consumer has used, without using any. */
    consumerUse: (consumerId: string) => use(CONSUMER_COUNTER + consumerId),

    /** A consumer's calls in the Playground, over all its members: apart from those by key. @throws DomainError rate_limited */
    playground: (consumerId: string, limit: number) => spend(`playground:${consumerId}`, limit),

    /** What of this minute's Playground calls is used, without using any. */
    playgroundUse: (consumerId: string) => use(`playground:${consumerId}`),

    /**
     * A request to a directory endpoint: it spends its consumer's limit, of which one address has at most half. What is
     * beyond that half costs the consumer nothing.
     * @throws DomainError rate_limited
     */
    async directory(consumerId: string, address: string, limit: number): Promise<Allowance> {
      const [whole, part] = [CONSUMER_COUNTER + consumerId, `directory:${consumerId}:${network(address)}`];
      const half = Math.max(1, Math.floor(limit / 2));
      refuseSpent(part, half);
      refuseSpent(whole, limit);
      const counted = await countPart(sql, { whole, part, most: half });
      const own = allowed(part, half, counted.part);
      const { remaining } = allowed(whole, limit, counted.whole!);
      return { ...own, remaining: Math.min(own.remaining, remaining) };
    },

    /**
     * A refused key counts against the address that sent it.
     * @param counted its place, where that is known; else it is counted here
     * @throws DomainError rate_limited after 20 in a minute
     */
    async refusedKey(address: string, counted?: Place): Promise<void> {
      const limit = REFUSED_KEYS_PER_MINUTE;
      if (counted && counted.place <= limit) return;
      const key = refusedKeysOf(address);
      if (counted) allowed(key, limit, counted, REFUSED_KEYS);
      else await spend(key, limit, REFUSED_KEYS);
    },

    /**
     * So does a malformed one, which asks nothing of the database: each instance counts those that it sees, apart (decision 0006).
     * @throws DomainError rate_limited after 20 in a minute of these, or of others
     */
    async malformedKey(address: string): Promise<void> {
      const key = refusedKeysOf(address);
      refuseSpent(key, REFUSED_KEYS_PER_MINUTE, REFUSED_KEYS);
      const { consumedPoints, msBeforeNext } = await malformed.penalty(key);
      const until = clock.now().getTime() + msBeforeNext;
      allowed(key, REFUSED_KEYS_PER_MINUTE, { place: consumedPoints, until }, REFUSED_KEYS);
    },

    ...createTries(limiter),
  };
}

/** @param until milliseconds since 1970 */
const secondsUntil = (until: number) => Math.max(1, Math.ceil((until - clock.now().getTime()) / 1000));

const REFUSED_KEYS = `The key was refused, as were ${REFUSED_KEYS_PER_MINUTE} others from this address within a minute. Check it on the Keys page.`;

/** @param retryAfter seconds @param what was exceeded, in a sentence; the caller's own limit unless given */
function limited(
  limit: number,
  retryAfter: number,
  what = `Rate limit of ${limit} requests per minute exceeded.`,
): DomainError {
  const wait = `${retryAfter} second${retryAfter === 1 ? "" : "s"}`;
  return new DomainError("rate_limited", `${what} Wait ${wait}, then try again.`, {
    details: { limit, remaining: 0, retry_after: retryAfter },
  });
}
