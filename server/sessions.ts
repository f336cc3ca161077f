// Cookie ↔ person. The cookie holds a token of 256 random bits, the table its SHA-256; lucia's sessions are known here alone.
// A session ends 14 days after its last use, 30 days after its log-in at the latest, and with the password it began with. It
// opens nothing while the account's address is not confirmed. An account has a hundred at most: a log-in ends those unused longest.
import { createHash, randomBytes } from "node:crypto";
import Bowser from "bowser";
import { type Adapter, Lucia, TimeSpan } from "lucia";
import * as clock from "./clock";
import type { Core } from "./context";
import { type Clocked, nowOf, setCookie, tokenIn } from "./cookies";

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionFacts, AccountFacts>;
    DatabaseSessionAttributes: SessionFacts & { passwordVersion: number };
    DatabaseUserAttributes: AccountFacts;
  }
}

interface SessionFacts {
  /** The consumer that the person looks at; whether they may is asked elsewhere, at each request. */
  consumerId: string | null;
  /** The merchant that the person acts for at present; asked likewise. */
  merchantId: string | null;
  createdAt: Date;
  /** Exact to the hour. */
  lastUsedAt: Date;
  userAgent: string;
  address: string;
}
interface AccountFacts {
  name: string;
  email: string;
  isOperator: boolean;
  /** Log-ins ask for a code besides the password. */
  hasSecondFactor: boolean;
}

export interface Session extends SessionFacts {
  id: string;
  accountId: string;
}
export interface SignedInAccount extends AccountFacts {
  id: string;
}

const IDLE_MS = 14 * clock.DAY_MS;
const LONGEST_MS = 30 * clock.DAY_MS;
const MOST = 100;
const USER_AGENT_LENGTH = 300;

const later = (from: Date, ms: number) => new Date(from.getTime() + ms);
const idOf = (token: string) => createHash("sha256").update(token).digest("hex");

interface Row extends SessionFacts, AccountFacts {
  id: string;
  accountId: string;
  passwordVersion: number;
}

/** lucia's view of our table. It knows sessions by their hash; expiry is ours, since it counts use and log-in both. */
function adapter(core: Clocked): Adapter {
  const { sql } = core;
  const now = nowOf(core);
  const sessionOf = ({ id, accountId, ...attributes }: Row) => ({
    id,
    userId: accountId,
    // The statement has decided already. lucia looks once more, by this machine's own clock: it must find the same.
    expiresAt: new Date(Date.now() + clock.MINUTE_MS),
    attributes,
  });
  return {
    /** Reads, and at most once an hour writes, in one statement. */
    async getSessionAndUser(id) {
      const [row] = await sql<Row[]>`
        with used as (
          update sessions set last_used_at = ${now}, expires_at = least(${later(now, IDLE_MS)}, created_at + interval '720 hours')
          where id = ${id} and expires_at > ${now} and last_used_at <= ${later(now, -clock.HOUR_MS)})
        select s.id, s.account_id as "accountId", s.password_version as "passwordVersion", s.consumer_id as "consumerId", s.merchant_id as "merchantId",
          s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.user_agent as "userAgent", s.address, a.name, a.email, a.is_operator as "isOperator",
          exists (select from second_factors f where f.account_id = a.id and f.enabled_at is not null) as "hasSecondFactor"
        from sessions s join accounts a on a.id = s.account_id and a.password_version = s.password_version
          and a.email_verified_at is not null
        where s.id = ${id} and s.expires_at > ${now}`;
      return row ? [sessionOf(row), { id: row.accountId, attributes: row }] : [null, null];
    },
    async getUserSessions(accountId) {
      const rows = await sql<Row[]>`
        select s.id, s.account_id as "accountId", s.password_version as "passwordVersion", s.consumer_id as "consumerId", s.merchant_id as "merchantId",
          s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.user_agent as "userAgent", s.address
        from sessions s join accounts a on a.id = s.account_id and a.password_version = s.password_version
        where s.account_id = ${accountId} and s.expires_at > ${now} order by s.last_used_at desc, s.created_at desc`;
      return rows.map(sessionOf);
    },
    /** Of an account that was deleted meanwhile there is none. */
    async setSession({ id, userId, attributes }) {
      await sql`
        with made as (
          insert into sessions (id, account_id, password_version, consumer_id, merchant_id, created_at, last_used_at, expires_at,
            user_agent, address)
          select ${id}, a.id, ${attributes.passwordVersion}::integer, ${attributes.consumerId}::uuid, ${attributes.merchantId}::uuid,
            ${now}::timestamptz, ${now}::timestamptz, ${later(now, IDLE_MS)}::timestamptz, ${attributes.userAgent}, ${attributes.address}
          from accounts a where a.id = ${userId} for key share)
        delete from sessions where id in (
          select id from sessions where account_id = ${userId} order by last_used_at desc, created_at desc offset ${MOST - 1})`;
    },
    async updateSessionExpiration() {}, // the read does it
    async deleteSession(id) {
      await sql`delete from sessions where id = ${id}`;
    },
    async deleteUserSessions(accountId) {
      await sql`delete from sessions where account_id = ${accountId}`;
    },
    async deleteExpiredSessions() {
      await sql`delete from sessions where expires_at <= ${now}`;
    },
  };
}

// No time of lucia's own: the adapter says when a session ends.
const luciaFor = (core: Clocked) =>
  new Lucia<SessionFacts, AccountFacts>(adapter(core), {
    sessionExpiresIn: new TimeSpan(0, "ms"),
    getSessionAttributes: ({ consumerId, merchantId, createdAt, lastUsedAt, userAgent, address }) => ({
      consumerId,
      merchantId,
      createdAt,
      lastUsedAt,
      userAgent,
      address,
    }),
    getUserAttributes: ({ name, email, isOperator, hasSecondFactor }) => ({ name, email, isOperator, hasSecondFactor }),
  });

const SESSION = "aisle";

export interface NewSession {
  /** As `accounts.logIn` and `accounts.changePassword` give it: a password changed meanwhile leaves the session void. */
  account: { id: string; passwordVersion: number };
  userAgent: string | undefined;
  address: string;
  /** The session that this browser had: it ends, and the same person goes on looking at the same consumer and merchant. */
  replaces?: Pick<Session, "id" | "accountId" | "consumerId" | "merchantId"> | null | undefined;
}

/** Opens a session. `cookie` is a Set-Cookie header; the token is nowhere else. */
export async function create(core: Clocked, input: NewSession): Promise<{ token: string; cookie: string }> {
  const { account, replaces } = input;
  const before = replaces?.accountId === account.id ? replaces : undefined;
  const token = randomBytes(32).toString("base64url");
  const lucia = luciaFor(core);
  const now = nowOf(core);
  await lucia.createSession(
    account.id,
    {
      passwordVersion: account.passwordVersion,
      consumerId: before?.consumerId ?? null,
      merchantId: before?.merchantId ?? null,
      createdAt: now,
      lastUsedAt: now,
      userAgent: (input.userAgent ?? "").slice(0, USER_AGENT_LENGTH),
      address: input.address,
    },
    { sessionId: idOf(token) },
  );
  if (replaces) await lucia.invalidateSession(replaces.id);
  return { token, cookie: setCookie(core, SESSION, token, LONGEST_MS) };
}

/** Whose cookie this is; null without one, or with one that no longer holds. One query. */
export async function read(
  core: Clocked,
  cookieHeader: string | undefined,
): Promise<{ session: Session; account: SignedInAccount } | null> {
  const token = tokenIn(core, SESSION, cookieHeader);
  if (!token) return null;
  const { session, user } = await luciaFor(core).validateSession(idOf(token));
  if (!session) return null;
  const { userId: accountId, fresh: _, expiresAt: __, ...facts } = session;
  return { session: { ...facts, accountId }, account: user };
}

interface SessionListing {
  id: string;
  /** Such as "Chrome on Linux". */
  device: string;
  address: string;
  createdAt: Date;
  /** Exact to the hour. */
  lastUsedAt: Date;
  current: boolean;
}

/** Where an account is logged in, the last used first. @param current the id of the session that asks */
export async function list(core: Clocked, accountId: string, current?: string): Promise<SessionListing[]> {
  const all = await luciaFor(core).getUserSessions(accountId);
  return all.map(({ id, userAgent, address, createdAt, lastUsedAt }) => ({
    id,
    device: deviceOf(userAgent),
    address,
    createdAt,
    lastUsedAt,
    current: id === current,
  }));
}

/** A Set-Cookie header that takes the cookie away. */
export const clearCookie = (core: Core): string => setCookie(core, SESSION, "", 0);

function deviceOf(userAgent: string): string {
  if (userAgent === "") return "Unknown device";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(" on ") || "Unknown device";
}
