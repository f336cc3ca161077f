// Who acts (`Actor`), and the context (`Ctx`) that every operation gets beside its input.
import { randomInt } from "node:crypto";
import type { Logger } from "pino";
import { v7 as uuidv7 } from "uuid";
import type { Database, Sql } from "../db/client";
import { scopes } from "../db/schema/consumers";
import * as clock from "./clock";
import type { Limits } from "./limits";

export { scopes };
export type Scope = (typeof scopes)[number];

/** A platform calling tools: by key, by its directory endpoint, or a member in the Playground. */
export interface Consumer {
  kind: "consumer";
  consumerId: string;
  slug: string;
  tier: "sandbox" | "production";
  coverage: "default_on" | "explicit";
  /** What this call may do: the consumer's scopes, narrowed by the key's. */
  scopes: readonly Scope[];
  /** Requests per minute. */
  rateLimit: number;
  utmSource: string | null;
  endpoint: "api" | "directory" | "playground";
  /** In the Playground: it is answered as at the consumer's directory endpoint. */
  asDirectory?: boolean;
  /** In a merchant's preview, who is not to see other merchants' stores: the only store that is read. */
  onlyStore?: string;
  keyId: string | null;
  accountId: string | null;
}
export interface Anonymous {
  kind: "anonymous";
}
/** A person with an account, whatever else they are. */
export interface SignedIn {
  kind: "signed_in";
  accountId: string;
}
export interface Member {
  kind: "member";
  accountId: string;
  consumerId: string;
  role: "owner" | "developer" | "reviewer";
}
/** A member who may act on keys, terms, the application and production access. */
export interface Owner extends Member {
  role: "owner";
}
export interface Operator {
  kind: "operator";
  /** Null at the command line, whose user is the machine's administrator. */
  accountId: string | null;
}
export interface Merchant {
  kind: "merchant";
  accountId: string;
  merchantId: string;
}
/** Start-up, seed and jobs. */
export interface System {
  kind: "system";
}
export type Actor = Anonymous | SignedIn | Member | Operator | Merchant | Consumer | System;

/** What lives as long as the process. */
export interface Core {
  /** Drizzle: typed writes and transactions. */
  db: Database;
  /** postgres.js: reads that are written out, and all that agents wait for; prepared statements, one round trip each. */
  sql: Sql;
  /** The same, over connections that only searches use. */
  searches: Sql;
  /** The same, over connections that only what people ask uses: however much that is, no call waits for it (decision 0074). */
  people: Sql;
  limits: Limits;
  /** The first signs and hashes; the others, from before, still verify what they signed (`services/signing.ts`). */
  secretKeys: readonly [newest: string, ...previous: string[]];
  /** May a feed be fetched from this IP address? From those of the public internet; tests name further ones. */
  mayFetch: (address: string) => boolean;
  /** Where the public reaches us: links in mails begin with it, cookies follow its scheme. Never taken from a request. */
  baseUrl: string;
  log: Logger;
}

export interface Ctx<A extends Actor = Actor> extends Core {
  actor: A;
  now: Date;
  /** UUIDv7, also in the answer's X-Request-Id. */
  requestId: string;
}

let latest = { msecs: 0, seq: 0 };

/** Where the clock is set back by less than this (ms), ids keep the later time. `services/requests.ts` allows them to be 2 s ahead of their rows. */
const SET_BACK = 1_000;

/**
 * A UUIDv7 of the database's time, by which the request's row is found (`services/requests.ts`). The ids of one process are in
 * order, even where the clock is set back a little (RFC 9562, section 6.2).
 */
export function newRequestId(): string {
  const now = clock.now().getTime();
  const msecs = now < latest.msecs && latest.msecs - now < SET_BACK ? latest.msecs : now;
  latest = { msecs, seq: latest.msecs === msecs ? latest.seq + 1 : randomInt(2 ** 31) };
  return uuidv7(latest);
}

/** PostgreSQL reads JavaScript's dates up to the year 9999. */
const LATEST = Date.UTC(9999, 0);

/** When a UUIDv7 was made, in milliseconds: it begins with them. Any other UUID gives some moment that means nothing. */
export const momentOf = (id: string): number =>
  Math.min(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), LATEST);

/** A context for work that begins now. (Field by field: `{ ...core, actor }` takes twenty times as long, decision 0030.) */
export const contextFor = <A extends Actor>(
  core: Core,
  actor: A,
  requestId = newRequestId(),
  now = clock.now(),
): Ctx<A> => ({
  db: core.db,
  sql: core.sql,
  searches: core.searches,
  people: core.people,
  limits: core.limits,
  secretKeys: core.secretKeys,
  mayFetch: core.mayFetch,
  baseUrl: core.baseUrl,
  log: core.log,
  actor,
  now,
  requestId,
});

/** The same request, once it is known who acts. */
export const actingAs = <A extends Actor>(ctx: Ctx, actor: A): Ctx<A> => contextFor(ctx, actor, ctx.requestId, ctx.now);

/** The id that an audit record names for an actor; null for the system and the command line. */
export function actorId(actor: Actor): string | null {
  if (actor.kind === "consumer") return actor.consumerId;
  return "accountId" in actor ? actor.accountId : null;
}
