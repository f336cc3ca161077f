// Every rate limit there is, on one screen. Counted in PostgreSQL by rate-limiter-flexible, so exact over all instances.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Sql } from "../db/client";
import { DomainError } from "./errors";
import { coalesce } from "./services/coalesce";

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
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const REFUSED_KEYS_PER_MINUTE = 20;

/**
 * People's tries: so many in so many seconds, counted before the try and given back when it succeeds.
 * Accounts are named by their address, whether or not there is one, so that a refusal tells nothing.
 */
const tries = {
  /** One network at one account: strict, since it is nobody else's trouble. */
  logInHere: { limit: 5, seconds: 15 * MINUTE },
  /** One network at any account: an office behind one address still gets in. */
  logInNetwork: { limit: 50, seconds: 15 * MINUTE },
  /**
   * All networks at one account, but for those that the person has logged in from lately. From `slowFrom` on each try
   * waits longer; at the limit strange networks are refused. So a crowd of strangers cannot lock the owner out: where
   * they are known they get in, and elsewhere a reset of the password lets them in at once.
   */
  logInAccount: { limit: 100, seconds: HOUR, slowFrom: 20, slowestMs: 2_000 },
  /** A known network stays known for so long. */
  knownNetwork: { seconds: 30 * DAY },
  /** The current password, asked again of somebody who is logged in. */
  passwordAgain: { limit: 10, seconds: 15 * MINUTE },
  signUpNetwork: { limit: 30, seconds: HOUR },
  /** Links asked for by one network, for whatever address. */
  linkNetwork: { limit: 30, seconds: HOUR },
  /** Mails of one kind to one address: nobody's mailbox is flooded through us. */
  mailTo: { limit: 3, seconds: HOUR },
} as const;

type Counter = (request: null) => Promise<{ place: number; msBeforeNext: number }>;
/** Counters are cheap to make anew; this only bounds their memory. */
const MAX_COUNTERS = 10_000;

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

  /** Counts a try. @throws DomainError rate_limited */
  async function take(key: string, { limit, seconds }: { limit: number; seconds: number }, advice = "then try again") {
    const counted = await limiter.consume(key, 1, { customDuration: seconds });
    if (counted.consumedPoints > limit) throw tooMany(counted.msBeforeNext, advice);
    return counted.consumedPoints;
  }

  /** One `consume(key, n)` for the n requests of a caller that wait in the same turn; each has its own place in the count. */
  const counters = new Map<string, Counter>();
  function counterOf(key: string): Counter {
    let counter = counters.get(key);
    if (!counter) {
      if (counters.size >= MAX_COUNTERS) counters.clear();
      counter = coalesce(
        async (waiting: null[]) => {
          const counted = await limiter.consume(key, waiting.length);
          const before = counted.consumedPoints - waiting.length;
          return waiting.map((_, i) => ({ place: before + i + 1, msBeforeNext: counted.msBeforeNext }));
        },
        { max: 1_000, lanes: 1 },
      );
      counters.set(key, counter);
    }
    return counter;
  }

  async function spend(key: string, limit: number): Promise<Allowance> {
    const { place, msBeforeNext } = await counterOf(key)(null);
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    if (place > limit) throw limited(limit, resetSeconds);
    return { limit, remaining: limit - place, resetSeconds, windowSeconds: MINUTE };
  }

  async function use(key: string): Promise<{ used: number; resetSeconds: number }> {
    const counted = await limiter.get(key);
    return { used: counted?.consumedPoints ?? 0, resetSeconds: Math.ceil((counted?.msBeforeNext ?? 0) / 1000) };
  }

  return {
    /** A consumer's requests over all its keys (specification 5.7). @throws DomainError rate_limited */
    consumer: (consumerId: string, limit: number) => spend(`consumer:${consumerId}`, limit),

    /** What of this minute a consumer has used, without using any. */
    consumerUse: (consumerId: string) => use(`consumer:${consumerId}`),

    /** A consumer's calls in the Playground, over all its members: apart from those by key. @throws DomainError rate_limited */
    playground: (consumerId: string, limit: number) => spend(`playground:${consumerId}`, limit),

    /** What of this minute's Playground calls is used, without using any. */
    playgroundUse: (consumerId: string) => use(`playground:${consumerId}`),

    /** One address may spend at most half of a directory endpoint's limit. @throws DomainError rate_limited */
    directoryAddress: (consumerId: string, address: string, limit: number) =>
      spend(`directory:${consumerId}:${hashed(address)}`, Math.max(1, Math.floor(limit / 2))),

    /** Counts a refused key against the address that sent it. @throws DomainError rate_limited after 20 in a minute */
    refusedKey: (address: string) => spend(`refused-key:${hashed(address)}`, REFUSED_KEYS_PER_MINUTE),

    /** Before a password is looked at. May wait, up to 2 s. @throws DomainError rate_limited */
    async logIn(email: string, address: string): Promise<void> {
      const advice = "or reset your password, then try again";
      await take(logInKeys.here(email, address), tries.logInHere, advice);
      await take(logInKeys.network(address), tries.logInNetwork);
      if (await limiter.get(logInKeys.known(email, address))) return;
      const { slowFrom, limit, slowestMs } = tries.logInAccount;
      const count = await take(logInKeys.account(email), tries.logInAccount, advice);
      if (count > slowFrom) await sleep((slowestMs * (count - slowFrom)) / (limit - slowFrom));
    },

    /** The right password, or a link to the account's own mailbox: the try does not count, and the network is known. */
    async loggedIn(email: string, address: string): Promise<void> {
      const wasKnown = await limiter.get(logInKeys.known(email, address));
      await Promise.all([
        limiter.delete(logInKeys.here(email, address)),
        limiter.reward(logInKeys.network(address), 1, { customDuration: tries.logInNetwork.seconds }),
        wasKnown ?? limiter.reward(logInKeys.account(email), 1, { customDuration: tries.logInAccount.seconds }),
        limiter.set(logInKeys.known(email, address), 1, tries.knownNetwork.seconds),
      ]);
    },

    /** @throws DomainError rate_limited after 10 tries in 15 minutes */
    passwordAgain: (accountId: string) => take(`password-again:${accountId}`, tries.passwordAgain),

    /** @throws DomainError rate_limited after 30 in an hour from one network */
    signUp: (address: string) => take(`sign-up:${network(address)}`, tries.signUpNetwork),

    /**
     * A mail with a link, asked for by whoever.
     * @throws DomainError rate_limited after 3 of this kind to this address in an hour, or 30 from one network
     */
    async linkTo(kind: "sign-up" | "verify" | "reset" | "change-email", email: string, address: string): Promise<void> {
      await take(`link:${network(address)}`, tries.linkNetwork);
      await take(`mail:${kind}:${hashed(email)}`, tries.mailTo, "and look for the mails that were sent already");
    },
  };
}

const logInKeys = {
  here: (email: string, address: string) => `log-in:${hashed(`${email} ${networkOf(address)}`)}`,
  network: (address: string) => `log-in-network:${network(address)}`,
  account: (email: string) => `log-in-account:${hashed(email)}`,
  known: (email: string, address: string) => `log-in-known:${hashed(`${email} ${networkOf(address)}`)}`,
};

/** Whoever has one IPv6 address has the 2^64 around it, so those count as one. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("%", 1)[0]!.toLowerCase().split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill("0"), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

const network = (address: string) => hashed(networkOf(address));

/** User input never becomes a key: it is hashed first. */
const hashed = (text: string) => createHash("sha256").update(text).digest("base64url");

function tooMany(waitMs: number, advice: string): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const wait =
    seconds < 60 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${minutes} minute${minutes === 1 ? "" : "s"}`;
  return new DomainError("rate_limited", `That was too often. Wait ${wait}, ${advice}.`, {
    details: { retry_after: seconds },
  });
}

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
