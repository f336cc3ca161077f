// Every rate limit there is, named. Counted in PostgreSQL (limit-store.ts), so exact over all instances.
import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../db/client";
import * as clock from "./clock";
import { DomainError } from "./errors";
import {
  CONSUMER_COUNTER,
  countPart,
  hashed,
  limiterOn,
  network,
  networkOf,
  oneByOne,
  type Place,
  refusedKeysOf,
  upsertsTogether,
  WINDOW_MS,
} from "./limit-store";
import { coalesce } from "./services/coalesce";

export type { Place };

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
  /**
   * One browser at the account that was logged in with it before: counted by itself, so that nobody else's tries count
   * against it, those of its own network neither.
   */
  logInDevice: { limit: 10, seconds: 15 * MINUTE },
  /** All such browsers of one account: whoever has collected their cookies may not guess with one after the other. */
  logInDevices: { limit: 30, seconds: 15 * MINUTE },
  /** A known network stays known for so long, and until the password is changed. */
  knownNetwork: { seconds: 30 * DAY },
  /** The current password, asked again of somebody who is logged in. */
  passwordAgain: { limit: 10, seconds: 15 * MINUTE },
  /** Codes of one account's second factor, after the right password; a new password begins a new count. */
  code: { limit: 10, seconds: HOUR },
  /** The same, whatever the password: whoever has the mailbox, and resets it again and again, gets no more of them. */
  codeOfDay: { limit: 20, seconds: DAY },
  /** All that is stored about a person: the dearest thing to ask for. */
  ownData: { limit: 10, seconds: HOUR },
  /** Reports of leaked keys; each may cost a look at who signed it. */
  leakReport: { limit: 60, seconds: MINUTE },
  signUpNetwork: { limit: 30, seconds: HOUR },
  /** Links asked for by one network, for whatever address. */
  linkNetwork: { limit: 30, seconds: HOUR },
  /** Mails of one kind to one address: nobody's mailbox is flooded through us. */
  mailTo: { limit: 3, seconds: HOUR },
} as const;

/** A caller that is over its limit stays so until its window ends; this only bounds how many are remembered. */
const MAX_SPENT = 10_000;

export type Limits = ReturnType<typeof createLimits>;

export function createLimits(sql: Sql) {
  const limiter = limiterOn(oneByOne(sql), MINUTE);
  const counter = limiterOn(upsertsTogether(sql), WINDOW_MS / 1000);

  /** Counts a try. @throws DomainError rate_limited */
  async function take(key: string, { limit, seconds }: { limit: number; seconds: number }, advice = "then try again") {
    const counted = await limiter.consume(key, 1, { customDuration: seconds });
    if (counted.consumedPoints > limit) throw tooMany(counted.msBeforeNext, advice);
    return counted.consumedPoints;
  }

  /** The requests of all callers that wait in the same turn: one `consume(key, n)` a caller, each with its own place in the count. */
  const count = coalesce(
    async (keys: string[]): Promise<Place[]> => {
      const waiting = new Map<string, number>();
      for (const key of keys) waiting.set(key, (waiting.get(key) ?? 0) + 1);
      const consumed = await Promise.all([...waiting].map(([key, requests]) => counter.consume(key, requests)));
      const counted = new Map([...waiting.keys()].map((key, i) => [key, consumed[i]!]));
      return keys.map((key) => {
        const left = waiting.get(key)! - 1;
        waiting.set(key, left);
        const { consumedPoints, msBeforeNext } = counted.get(key)!;
        return { place: consumedPoints - left, msBeforeNext };
      });
    },
    // All that wait: two batches of one turn would become one statement, which may name no caller twice.
    { max: Number.POSITIVE_INFINITY, lanes: 2 },
  );

  /** Callers over their limit: a count only grows until its window ends, so for these there is nothing left to count. */
  const spent = new Map<string, { place: number; until: number }>();

  /** The caller's next request has this place at least, if it is known to be over its limit. */
  function placeBeyond(key: string, limit: number): Place | undefined {
    const known = spent.get(key);
    const msBeforeNext = known && known.place >= limit ? known.until - clock.now().getTime() : 0;
    return msBeforeNext > 0 ? { place: Math.max(known!.place, limit + 1), msBeforeNext } : undefined;
  }

  /** @throws DomainError rate_limited */
  function refuseSpent(key: string, limit: number, what?: string): void {
    const beyond = placeBeyond(key, limit);
    if (beyond) throw limited(limit, secondsOf(beyond.msBeforeNext), what);
  }

  async function spend(key: string, limit: number, what?: string): Promise<Allowance> {
    refuseSpent(key, limit, what);
    return allowed(key, limit, await count(key), what);
  }

  /** Where a caller stands that was counted. @throws DomainError rate_limited */
  function allowed(key: string, limit: number, { place, msBeforeNext }: Place, what?: string): Allowance {
    const resetSeconds = secondsOf(msBeforeNext);
    if (place > limit) {
      if (spent.size >= MAX_SPENT) spent.clear();
      spent.set(key, { place, until: clock.now().getTime() + msBeforeNext });
      throw limited(limit, resetSeconds, what);
    }
    return { limit, remaining: limit - place, resetSeconds, windowSeconds: WINDOW_MS / 1000 };
  }

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
      const [key, limit] = [refusedKeysOf(address), REFUSED_KEYS_PER_MINUTE];
      if (counted) allowed(key, limit, counted, REFUSED_KEYS);
      else await spend(key, limit, REFUSED_KEYS);
    },

    /**
     * Before a password is looked at. May wait, up to 2 s.
     * @param device of this account, where the browser has shown that it is one
     * @throws DomainError rate_limited
     */
    async logIn(account: LogInOwner, address: string, device?: string): Promise<void> {
      const advice = "or reset your password, then try again";
      if (device !== undefined) {
        await take(logInKeys.device(device), tries.logInDevice, advice);
        await take(logInKeys.devices(account), tries.logInDevices, advice);
        return;
      }
      await take(logInKeys.here(account, address), tries.logInHere, advice);
      await take(logInKeys.network(address), tries.logInNetwork);
      if (await limiter.get(logInKeys.known(account, address))) return;
      const { slowFrom, limit, slowestMs } = tries.logInAccount;
      const count = await take(logInKeys.account(account), tries.logInAccount, advice);
      if (count > slowFrom) await sleep((slowestMs * (count - slowFrom)) / (limit - slowFrom));
    },

    /** The right password, or a link to the account's own mailbox: the try does not count, and the network is known. */
    async loggedIn(account: LogInOwner, address: string, device?: string): Promise<void> {
      const known = logInKeys.known(account, address);
      if (device !== undefined) {
        await Promise.all([
          limiter.delete(logInKeys.device(device)),
          limiter.reward(logInKeys.devices(account), 1, { customDuration: tries.logInDevices.seconds }),
          limiter.set(known, 1, tries.knownNetwork.seconds),
        ]);
        return;
      }
      const wasKnown = await limiter.get(known);
      await Promise.all([
        limiter.delete(logInKeys.here(account, address)),
        limiter.reward(logInKeys.network(address), 1, { customDuration: tries.logInNetwork.seconds }),
        wasKnown ?? limiter.reward(logInKeys.account(account), 1, { customDuration: tries.logInAccount.seconds }),
        limiter.set(known, 1, tries.knownNetwork.seconds),
      ]);
    },

    /** @throws DomainError rate_limited after 10 tries in 15 minutes */
    passwordAgain: (accountId: string) => take(`password-again:${accountId}`, tries.passwordAgain),

    /**
     * Before a code of somebody's second factor is looked at.
     * @returns which try of this hour it is
     * @throws DomainError rate_limited after 10 in an hour that were wrong
     */
    code: (account: CodeOwner): Promise<number> => take(codeKey(account), tries.code),

    /**
     * Before the first code of an app that is being set up is looked at. Counted apart: whoever tries at log-ins is told of
     * by the count of those.
     * @throws DomainError rate_limited after 10 in an hour
     */
    setUpCode: (account: CodeOwner) => take(`set-up-${codeKey(account)}`, tries.code),

    /** The right one: the try does not count. */
    rightCode: async (account: CodeOwner): Promise<void> =>
      void (await limiter.reward(codeKey(account), 1, { customDuration: tries.code.seconds })),

    /** Beside `code`, before a log-in's is looked at. @throws DomainError rate_limited after 20 in a day, none of them right */
    codeOfDay: (accountId: string) => take(codesOfDayKey(accountId), tries.codeOfDay),

    /** A right one came, or the account has no second factor any more. */
    forgetCodesOfDay: async (accountId: string): Promise<void> => void (await limiter.delete(codesOfDayKey(accountId))),

    /** @throws DomainError rate_limited after 10 in an hour */
    ownData: (accountId: string) => take(`own-data:${accountId}`, tries.ownData),

    /** @throws DomainError rate_limited after 60 in a minute from one network */
    leakReport: (address: string) => take(`leak-report:${network(address)}`, tries.leakReport),

    /** @throws DomainError rate_limited after 30 in an hour from one network */
    signUp: (address: string) => take(`sign-up:${network(address)}`, tries.signUpNetwork),

    /**
     * A mail with a link, asked for by whoever. Signing up asks for one to verify the address, as does asking for another.
     * @throws DomainError rate_limited after 3 of this kind to this address in an hour, or 30 from one network
     */
    async linkTo(kind: "verify" | "reset" | "change-email", email: string, address: string): Promise<void> {
      await take(`link:${network(address)}`, tries.linkNetwork);
      await take(`mail:${kind}:${hashed(email)}`, tries.mailTo, "and check for the emails already sent");
    },
  };
}

/** Whose codes are tried, and since which password. */
interface CodeOwner {
  id: string;
  passwordVersion: number;
}
const codeKey = ({ id, passwordVersion }: CodeOwner) => `code:${id}:${passwordVersion}`;
const codesOfDayKey = (accountId: string) => `codes-of-day:${accountId}`;

const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** Whose password is tried, and which: 0 where there is no such account. */
interface LogInOwner {
  email: string;
  passwordVersion: number;
}
const logInKeys = {
  here: ({ email }: LogInOwner, address: string) => `log-in:${hashed(`${email} ${networkOf(address)}`)}`,
  network: (address: string) => `log-in-network:${network(address)}`,
  device: (device: string) => `log-in-device:${hashed(device)}`,
  devices: ({ email }: LogInOwner) => `log-in-devices:${hashed(email)}`,
  account: ({ email }: LogInOwner) => `log-in-account:${hashed(email)}`,
  known: ({ email, passwordVersion }: LogInOwner, address: string) =>
    `log-in-known:${hashed(`${email} ${passwordVersion} ${networkOf(address)}`)}`,
};

function tooMany(waitMs: number, advice: string): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const hours = Math.ceil(minutes / 60);
  const [count, unit] = seconds < 60 ? [seconds, "second"] : minutes <= 120 ? [minutes, "minute"] : [hours, "hour"];
  const wait = `${count} ${unit}${count === 1 ? "" : "s"}`;
  return new DomainError("rate_limited", `Too many attempts. Wait ${wait}, ${advice}.`, {
    details: { retry_after: seconds },
  });
}

const REFUSED_KEYS = `The key was refused, as were ${REFUSED_KEYS_PER_MINUTE} others from this address within a minute. Check it on the Keys page.`;

/** @param what happened, where it is no caller's own limit */
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
