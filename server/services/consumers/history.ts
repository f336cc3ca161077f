// What happened to a consumer, from the audit: its own acts, its keys' and its members'.
import { and, asc, desc, eq, inArray, sql as raw } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../../db/client";
import { accounts } from "../../../db/schema/accounts";
import { keys } from "../../../db/schema/keys";
import { audit } from "../../../db/schema/operations";
import type { Ctx, Operator } from "../../context";
import { type Action, namelessActor } from "../audit-words";
import { Cursor } from "../fields";
import { type Neighbours, pageOf, turnOf } from "../pages";

/** What is done to a consumer and to its keys. */
type Done = Extract<
  Action,
  `${"application" | "consumer" | "production" | "member" | "key"}.${string}` | "terms.accept" | "demo.create"
>;

/** What each act was, after the name of who did it. `{key}` stands for the key that it was done to. */
const phrases: Record<Done, string> = {
  "application.submit": "applied",
  "application.edit": "changed the application",
  "application.approve": "approved the application",
  "application.reject": "revoked access",
  "consumer.restore": "restored access",
  "consumer.revoke": "left as the last owner, which revoked access",
  "consumer.change": "changed limits and access",
  "production.request": "requested production access",
  "production.approve": "approved production access",
  "production.decline": "declined production access",
  "member.add": "added a member",
  "member.change_role": "changed a member's role",
  "member.renew": "renewed a reviewer's access",
  "member.leave": "left",
  "member.remove": "removed a member",
  "terms.accept": "accepted the data-use terms",
  "key.issue": "issued the key {key}",
  "key.rotate": "rotated a key: the new one is {key}",
  "key.revoke": "revoked the key {key}",
  "key.revoke_leaked": "revoked the key {key}, which was found in public",
  "demo.create": "set up the demo platform",
};

export interface Act {
  id: string;
  at: Date;
  /** A person's name, or what acted instead. */
  who: string;
  /** In words, after `who`. */
  did: string;
  /** As the audit has it, such as `production.approve`. */
  action: string;
  /** Fields that differ, or were given, with their values as text; null for none. */
  changes: { field: string; before: string | null; after: string | null }[];
  requestId: string;
}

const actor = {
  kind: audit.actorKind,
  id: audit.actorId,
  name: accounts.name,
};
type ActorRow = { kind: string; id: string | null; name: string | null };

const whoOf = ({ kind, id, name }: ActorRow): string => name ?? namelessActor(kind, id);

/** The same of a platform under review, which never had access: what ended, or came back, is its application. */
const ofApplication: { [action in Done]?: string } = {
  "application.reject": "rejected the application",
  "consumer.restore": "restored the application",
  "consumer.revoke": "left as the last owner, which ended the application",
};

interface Recorded {
  action: string;
  before: unknown;
  after: unknown;
  /** By name and end, since the heir of a rotation has the name of the key before it; null where it was done to none. */
  key?: string | null;
}

/** One of an earlier release that is no longer recorded is shown as it was. */
function didOf({ action, before, after, key }: Recorded): string {
  if (!Object.hasOwn(phrases, action)) return action;
  const isInReview = [before, after].some((side) => isRecord(side) && side.state === "under_review");
  const did = (isInReview && ofApplication[action as Done]) || phrases[action as Done];
  return did.replace("{key}", () => key ?? "");
}

/** The acts that count a consumer's version up: operators', and what else changes its state. */
export const versioned: Action[] = [
  "application.approve",
  "application.reject",
  "consumer.restore",
  "consumer.revoke",
  "consumer.change",
  "production.request",
  "production.approve",
  "production.decline",
];

/** The latest of these acts, for whoever came second. Called under the lock of the consumer's row. */
export async function lastAct(
  tx: Database,
  consumerId: string,
  actions: Action[],
): Promise<Pick<Act, "at" | "who" | "did"> | undefined> {
  const [row] = await tx
    .select({ at: audit.at, action: audit.action, before: audit.before, after: audit.after, actor })
    .from(audit)
    .leftJoin(accounts, eq(accounts.id, audit.actorId))
    .where(and(eq(audit.targetKind, "consumer"), eq(audit.targetId, consumerId), inArray(audit.action, actions)))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1);
  return row && { at: row.at, who: whoOf(row.actor), did: didOf(row) };
}

/**
 * The act that ended access last, and what had been decided of the consumer until then, for whoever gives it back. Called
 * under the lock of the consumer's row.
 */
export async function revocation(
  tx: Database,
  consumerId: string,
): Promise<{ action: string | undefined; decided: { decidedAt: Date | null; decisionReason: string | null } }> {
  const [row] = await tx
    .select({ action: audit.action, before: audit.before })
    .from(audit)
    .where(
      and(
        eq(audit.targetKind, "consumer"),
        eq(audit.targetId, consumerId),
        inArray(audit.action, ["application.reject", "consumer.revoke"]),
      ),
    )
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(1);
  const { decidedAt, decisionReason } = fieldsOf(row?.before);
  return {
    action: row?.action,
    decided: {
      decidedAt: typeof decidedAt === "string" ? new Date(decidedAt) : null,
      decisionReason: typeof decisionReason === "string" ? decisionReason : null,
    },
  };
}

const PAGE = 30;

export const ConsumerHistory = z.strictObject({ consumerId: z.uuid(), cursor: Cursor });

/** Newest first, a page at a time. @throws DomainError cursor_invalid, invalid_arguments */
export async function history(
  ctx: Ctx<Operator>,
  input: z.infer<typeof ConsumerHistory>,
): Promise<Neighbours & { acts: Act[] }> {
  const query = { list: "history", ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const own = raw`select a.id, a.at from audit a where a.target_kind = 'consumer' and a.target_id = ${input.consumerId}`;
  const ofKeys = raw`select a.id, a.at from audit a join keys k on a.target_id = k.id::text
    where a.target_kind = 'key' and k.consumer_id = ${input.consumerId}`;
  const beyond = key && raw`where (t.at, t.id) ${raw.raw(back ? ">" : "<")} (${key[0]}::timestamptz, ${key[1]}::uuid)`;
  const [direction, order] = back ? [asc, raw`t.at, t.id`] : [desc, raw`t.at desc, t.id desc`];
  const found = await ctx.db
    .select({
      id: audit.id,
      at: audit.at,
      // To the microsecond, as the database has it: a Date would skip or repeat what happened in one millisecond.
      exactly: raw<string>`${audit.at}::text`,
      action: audit.action,
      before: audit.before,
      after: audit.after,
      requestId: audit.requestId,
      key: raw<string | null>`${keys.name} || ' (…' || ${keys.end} || ')'`,
      actor,
    })
    .from(audit)
    .leftJoin(accounts, eq(accounts.id, audit.actorId))
    .leftJoin(keys, eq(keys.id, raw`case ${audit.targetKind} when 'key' then ${audit.targetId}::uuid end`))
    .where(
      inArray(
        audit.id,
        raw`(select t.id from (${own} union all ${ofKeys}) t ${beyond} order by ${order} limit ${PAGE + 1})`,
      ),
    )
    .orderBy(direction(audit.at), direction(audit.id));
  const keyOf = ({ exactly, id }: (typeof found)[number]) => [exactly, id];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit: PAGE, keyOf });
  const names = await namesIn(ctx, rows);
  return {
    ...neighbours,
    acts: rows.map((row) => ({
      id: row.id,
      at: row.at,
      who: whoOf(row.actor),
      did: didOf(row),
      action: row.action,
      changes: row.action === "application.submit" ? [] : changesOf(row).map(named(names)),
      requestId: row.requestId,
    })),
  };
}

/** The audit keeps the ids of people, never their names: those are looked up, for as long as there are such accounts. */
async function namesIn(ctx: Ctx<Operator>, rows: { after: unknown }[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ after }) =>
    isRecord(after) && typeof after.account === "string" ? [after.account] : [],
  );
  if (ids.length === 0) return new Map();
  const found = await ctx.db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .where(inArray(accounts.id, ids));
  return new Map(found.map(({ id, name }) => [id, name]));
}

const named =
  (names: Map<string, string>) =>
  (change: Act["changes"][number]): Act["changes"][number] =>
    change.field === "account" ? { ...change, after: names.get(change.after ?? "") ?? "Deleted" } : change;

/** Fields that say nothing to a reader: ids, and what follows from others. */
const silent = new Set([
  "id",
  "inPlaceOf",
  "activeAgain",
  "tier",
  "version",
  "stateSince",
  "decidedAt",
  "createdAt",
  "revokedFrom",
  "consumerId",
  // Of an application that was changed, in records of an earlier release.
  "submittedAt",
  // Of a rotation in records of an earlier release, where it stood on the wrong side.
  "revoked",
]);

/** The acts that come with a reason. Any other one only clears the reason that stood. */
const reasoned = new Set(["application.reject", "production.decline"]);

function changesOf({ action, key, ...sides }: Recorded): Act["changes"] {
  const { decisionReason: _earlier, ...old } = fieldsOf(sides.before);
  const { decisionReason: given, ...now } = fieldsOf(sides.after);
  const changes = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    // A key's name is in the words already.
    .filter((field) => !silent.has(field) && !(key && field === "name"))
    .map((field) => ({ field, before: shownAs(old[field]), after: shownAs(now[field]) }))
    .filter((change) => change.before !== change.after);
  return reasoned.has(action)
    ? [...changes, { field: "decisionReason", before: null, after: shownAs(given) }]
    : changes;
}

type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});

function shownAs(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value)
    ? value.join(", ") || null
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}
