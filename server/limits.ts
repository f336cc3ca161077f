// Every rate limit there is, on one screen. Counted in PostgreSQL by rate-limiter-flexible, so exact over all instances.
import { createHash } from "node:crypto";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Sql } from "../db/client";
import { DomainError } from "./errors";

/** Where a caller stands in its window, after this request was counted. */
export interface Allowance {
  /** Requests per window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
  windowSeconds: number;
}

const MINUTE = 60;
const REFUSED_KEYS_PER_MINUTE = 20;

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(sql: Sql) {
  const store = {
    query: async ({ text, values }: { text: string; values: never[] }) => {
      const rows = await sql.unsafe(text, values, { prepare: true });
      return { rows, rowCount: rows.length };
    },
  };
  // The limit belongs to the caller, not to the limiter, so the limiter counts and `spend` compares.
  const limiter = new RateLimiterPostgres({
    storeClient: store,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: "",
    points: Number.MAX_SAFE_INTEGER,
    duration: MINUTE,
  });

  async function spend(key: string, limit: number): Promise<Allowance> {
    const counted = await limiter.consume(key, 1);
    const resetSeconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
    if (counted.consumedPoints > limit) throw limited(limit, resetSeconds);
    return { limit, remaining: limit - counted.consumedPoints, resetSeconds, windowSeconds: MINUTE };
  }

  return {
    /** A consumer's requests over all its keys (specification 5.7). @throws DomainError rate_limited */
    consumer: (consumerId: string, limit: number) => spend(`consumer:${consumerId}`, limit),

    /** One address may spend at most half of a directory endpoint's limit. @throws DomainError rate_limited */
    directoryAddress: (consumerId: string, address: string, limit: number) =>
      spend(`directory:${consumerId}:${hashed(address)}`, Math.max(1, Math.floor(limit / 2))),

    /** Counts a refused key against the address that sent it. @throws DomainError rate_limited after 20 in a minute */
    refusedKey: (address: string) => spend(`refused-key:${hashed(address)}`, REFUSED_KEYS_PER_MINUTE),
  };
}

/** User input never becomes a key: it is hashed first. */
const hashed = (text: string) => createHash("sha256").update(text).digest("base64url");

function limited(limit: number, retryAfter: number): DomainError {
  const wait = `${retryAfter} second${retryAfter === 1 ? "" : "s"}`;
  return new DomainError(
    "rate_limited",
    `Rate limit of ${limit} requests per minute exceeded. Wait ${wait}, then try again.`,
    {
      details: { limit, remaining: 0, retry_after: retryAfter },
    },
  );
}
