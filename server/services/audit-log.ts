// The audit as operators read it, newest first. Who and what is named as of now; whoever is gone has no name any more.
import { z } from "zod";
import { DAY_MS } from "../clock";
import type { Actor, Ctx, Operator } from "../context";
import { type CsvColumn, csv } from "../csv";
import { refuseField } from "../errors";
import * as audit from "./audit";
import { actions, areas, namelessActor, targetKinds, wordsOf, wordsOfAct } from "./audit-words";
import { Cursor, isInReach, oneOf, Sought } from "./fields";
import { type Neighbours, pageOf, type Turn, turnOf } from "./pages";

const actorKinds = [
  "operator",
  "member",
  "merchant",
  "signed_in",
  "anonymous",
  "consumer",
  "system",
] as const satisfies readonly Actor["kind"][];

const when = { error: "Enter a date, such as 2026-09-26." };
const at = z.union([z.iso.datetime({ offset: true }), z.iso.date()], when);

/** Which acts: all that is given must hold. */
export const AuditFilter = z.strictObject({
  /** What a person did, and what was done to their account: by address, or by the id of an account that is gone. */
  person: Sought(254).toLowerCase().optional(),
  actorKind: oneOf(actorKinds).optional(),
  /** An action, or an area: what stands before its dot. */
  action: z
    .string()
    .trim()
    .regex(/^[a-z_]+(\.[a-z_]+)*$/, "Enter an action, such as key.revoke, or its area, such as key.")
    .max(100, "Use at most 100 characters.")
    .optional(),
  targetKind: Sought(50).optional(),
  targetId: Sought(200).optional(),
  requestId: z.uuid("Enter a request id: 36 characters, as in the answer's X-Request-Id.").optional(),
  from: at
    .transform((text) => new Date(text))
    .refine(isInReach, when)
    .optional(),
  /** A day ends with its last moment, UTC. */
  to: at
    .transform((text) => new Date(Date.parse(text) + (text.length === 10 ? DAY_MS : 0)))
    .refine(isInReach, when)
    .optional(),
});
export type AuditFilter = z.output<typeof AuditFilter>;

export const ListAudit = AuditFilter.extend({
  cursor: Cursor,
  limit: z.int().min(1).max(200).default(50),
});

interface AuditEntry {
  id: string;
  at: Date;
  actor: {
    kind: string;
    id: string | null;
    /** A name, or what stands for one: "Deleted account", "Command line", "A visitor". */
    name: string;
    /** Of a person who is still there. */
    email: string | null;
  };
  action: string;
  /** What follows the actor's name; `{target}` stands for the target. */
  words: string;
  target: {
    kind: string;
    id: string;
    name: string;
    /** Of the consumer that it is, or that has the key. */
    slug: string | null;
    /** Of the merchant that has the store. */
    merchantId: string | null;
    isGone: boolean;
  };
  before: unknown;
  after: unknown;
  requestId: string;
}

interface AuditPage extends Neighbours {
  entries: AuditEntry[];
}

/** What the filters offer. */
export const vocabulary = (_ctx: Ctx<Operator>) => ({
  areas,
  actions: actions.map((action) => ({ action, words: wordsOf(action) })),
  actorKinds,
  targetKinds,
});

/** @throws DomainError cursor_invalid, invalid_arguments, invalid_input */
export async function list(ctx: Ctx<Operator>, input: z.output<typeof ListAudit>): Promise<AuditPage> {
  const { cursor: _cursor, limit, ...filter } = input;
  requireSpan(filter);
  const query = { list: "audit", ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const found = await fetch(ctx, filter, turn, limit + 1);
  const keyOf = ({ exact, id }: Row) => [exact, id];
  const { rows, ...neighbours } = pageOf(ctx, query, turn, { found, limit, keyOf });
  return { entries: rows.map(told), ...neighbours };
}

function requireSpan({ from, to }: AuditFilter): void {
  if (from && to && from >= to) throw refuseField("from", "“From” must not be after “Through”.");
}

const columns: CsvColumn<AuditEntry>[] = [
  { header: "at", cell: ({ at }) => at },
  { header: "actor_kind", cell: ({ actor }) => actor.kind },
  { header: "actor_id", cell: ({ actor }) => actor.id },
  { header: "actor_name", cell: ({ actor }) => actor.name },
  { header: "actor_email", cell: ({ actor }) => actor.email },
  { header: "action", cell: ({ action }) => action },
  { header: "target_kind", cell: ({ target }) => target.kind },
  { header: "target_id", cell: ({ target }) => target.id },
  { header: "target_name", cell: ({ target }) => target.name },
  {
    header: "in_words",
    cell: ({ actor, words, target }) => `${actor.name} ${words.replace("{target}", () => target.name)}`,
  },
  { header: "before", cell: ({ before }) => json(before) },
  { header: "after", cell: ({ after }) => json(after) },
  { header: "request_id", cell: ({ requestId }) => requestId },
];
const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));

/**
 * Everything that the filter finds, as CSV, newest first, a piece at a time; that it was exported is an act itself, of whoever
 * takes the first piece.
 */
export async function* exportCsv(ctx: Ctx<Operator>, filter: AuditFilter): AsyncGenerator<string> {
  requireSpan(filter);
  const { person, ...rest } = filter;
  const after = { ...rest, ...(person ? { person: await accountOf(ctx, person) } : {}) };
  await audit.record(ctx, ctx.db, { action: "audit.export", target: ["audit", "all"], after });
  yield* csv(columns, everything(ctx, filter));
}

const BATCH = 1_000;

async function* everything(ctx: Ctx<Operator>, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  let turn: Turn = { key: undefined, back: false };
  for (;;) {
    const rows = await fetch(ctx, filter, turn, BATCH);
    yield rows.map(told);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    turn = { key: [last.exact, last.id], back: false };
  }
}

interface Row {
  id: string;
  at: Date;
  /** `at` to the microsecond, as the database keeps it. */
  exact: string;
  actorKind: string;
  actorId: string | null;
  actorName: string | null;
  actorEmail: string | null;
  action: string;
  targetKind: string;
  targetId: string;
  targetName: string | null;
  slug: string | null;
  merchantId: string | null;
  before: unknown;
  after: unknown;
  requestId: string;
}

/** Null where nobody has the address: then nothing is found, rather than everything. */
async function accountOf({ sql }: Pick<Ctx, "sql">, person: string): Promise<string | null> {
  if (z.uuid().safeParse(person).success) return person;
  const [account] = await sql<{ id: string }[]>`select id from accounts where email = ${person}`;
  return account?.id ?? null;
}

/** Which rows first, by an index that has them in order; their names only then. */
async function fetch(ctx: Ctx<Operator>, filter: AuditFilter, { key, back }: Turn, limit: number): Promise<Row[]> {
  const { sql } = ctx;
  const order = back ? sql`order by at, id` : sql`order by at desc, id desc`;
  const beyond = key && sql`and (at, id) ${back ? sql`>` : sql`<`} (${key[0]!}::text::timestamptz, ${key[1]!}::uuid)`;
  const { action, actorKind, targetKind, targetId, requestId } = filter;
  const found = (whose: ReturnType<typeof sql>) => sql`
    (select at, id from audit where ${whose}
      ${actorKind ? sql`and actor_kind = ${actorKind}` : sql``}
      ${action ? (action.includes(".") ? sql`and action = ${action}` : sql`and split_part(action, '.', 1) = ${action}`) : sql``}
      ${targetKind ? sql`and target_kind = ${targetKind}` : sql``}
      ${targetId ? sql`and target_id = ${targetId}` : sql``}
      ${requestId ? sql`and request_id = ${requestId}` : sql``}
      ${filter.from ? sql`and at >= ${filter.from}` : sql``}
      ${filter.to ? sql`and at < ${filter.to}` : sql``}
      ${beyond ?? sql``}
      ${order} limit ${limit})`;
  const person = filter.person ? await accountOf(ctx, filter.person) : undefined;
  const page =
    person === undefined
      ? found(sql`true`)
      : sql`(${found(sql`actor_id = ${person}`)} union ${found(sql`target_kind = 'account' and target_id = ${person}`)} ${order} limit ${limit})`;
  return sql<Row[]>`
    with page as materialized ${page}
    select a.id, a.at, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as exact,
      a.actor_kind as "actorKind", a.actor_id as "actorId", coalesce(who.name, platform.name) as "actorName", who.email as "actorEmail",
      a.action, a.target_kind as "targetKind", a.target_id as "targetId",
      coalesce(account.name, consumer.name, key.name, store.name, merchant.name) as "targetName",
      coalesce(consumer.slug, holder.slug) as slug, store.merchant_id as "merchantId", a.before, a.after, a.request_id as "requestId"
    from page join audit a using (id)
      left join accounts who on who.id = a.actor_id and a.actor_kind <> 'consumer'
      left join consumers platform on platform.id = a.actor_id and a.actor_kind = 'consumer'
      left join accounts account on account.id = ${idOf(sql, "account")}
      left join consumers consumer on consumer.id = ${idOf(sql, "consumer")}
      left join keys key on key.id = ${idOf(sql, "key")}
      left join consumers holder on holder.id = key.consumer_id
      left join stores store on store.id = ${idOf(sql, "store")}
      left join merchants merchant on merchant.id = ${idOf(sql, "merchant")}
    order by ${back ? sql`a.at, a.id` : sql`a.at desc, a.id desc`}`;
}

/** The target's id where it is one of this kind: ids of other kinds need not be UUIDs. */
const idOf = (sql: Ctx["sql"], kind: string) => sql`case when a.target_kind = ${kind} then a.target_id::uuid end`;

/** Things that are named by a row of their own, and may be gone. */
const named = new Set(["account", "consumer", "key", "merchant", "store"]);
const lasting: Partial<Record<string, string>> = { audit: "the audit", settings: "the settings" };

function told(row: Row): AuditEntry {
  const { targetKind: kind, targetId: id } = row;
  const isGone = named.has(kind) && row.targetName === null;
  return {
    id: row.id,
    at: row.at,
    actor: {
      kind: row.actorKind,
      id: row.actorId,
      name: row.actorName ?? namelessActor(row.actorKind, row.actorId),
      email: row.actorEmail,
    },
    action: row.action,
    words: wordsOfAct(row),
    target: {
      kind,
      id,
      name: row.targetName ?? lasting[kind] ?? (isGone ? `a deleted ${kind}` : id),
      slug: row.slug,
      merchantId: row.merchantId,
      isGone,
    },
    before: row.before,
    after: row.after,
    requestId: row.requestId,
  };
}
