// A merchant's inbox: one entry a platform and store, when the platform went live and could read it.
import { and, eq, exists, isNull, lte, sql as raw } from "drizzle-orm";
import { z } from "zod";
import { notifications, stores } from "../../db/schema/merchants";
import type { Ctx, Merchant } from "../context";
import { notFound } from "../errors";
import { Cursor, isInReach } from "./fields";
import { type Page, pageOf, turnOf } from "./pages";
import { LOAD_AGAIN } from "./shown";

const PAGE = 25;

interface Notification {
  id: string;
  at: Date;
  readAt: Date | null;
  /** The platform that went live, and the store that it could read then. */
  platform: { slug: string; name: string };
  store: { slug: string; name: string };
}

export const ListNotifications = z.strictObject({
  unread: z.boolean().optional(),
  cursor: Cursor,
});

/** Where nothing is shown: no notification is as old. */
const NEVER = "1970-01-01T00:00:00Z";

/**
 * Newest first, a page at a time. `asOf` is when the newest there is came, to the microsecond: not when it was asked for, since
 * one that comes later bears the time at which its decision began.
 * @throws DomainError cursor_invalid
 */
export async function list(
  ctx: Ctx<Merchant>,
  input: z.infer<typeof ListNotifications>,
): Promise<Page<Notification> & { asOf: string }> {
  const { sql, actor } = ctx;
  const query = { list: "notifications", merchantId: actor.merchantId, ...input };
  const turn = turnOf(ctx, query, ["string", "string"]);
  const { key, back } = turn;
  const direction = back ? sql`` : sql`desc`;
  // Of each store as many as a page may hold, from its index: however many there are, that is all that is read.
  const newest = sql`(select max((select max(n.created_at) from notifications n where n.store_id = s.id))
    from stores s where s.merchant_id = ${actor.merchantId})`;
  const found = await sql<(Notification & { at_us: string; as_of: string })[]>`
    select n.id, n.created_at as at, n.read_at as "readAt", n.created_at::text as at_us,
      to_char(${newest} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as as_of,
      json_build_object('slug', c.slug, 'name', c.name) as platform, json_build_object('slug', s.slug, 'name', s.name) as store
    from stores s cross join lateral (
      select * from notifications n where n.store_id = s.id ${input.unread ? sql`and n.read_at is null` : sql``}
        ${key ? sql`and (n.created_at, n.id) ${back ? sql`>` : sql`<`} (${key[0]!}::text::timestamptz, ${key[1]!}::uuid)` : sql``}
      order by n.created_at ${direction}, n.id ${direction} limit ${PAGE + 1}) n
    join consumers c on c.id = n.consumer_id
    where s.merchant_id = ${actor.merchantId}
    order by n.created_at ${direction}, n.id ${direction} limit ${PAGE + 1}`;
  const { rows, ...neighbours } = pageOf(ctx, query, turn, {
    found,
    limit: PAGE,
    keyOf: ({ at_us, id }) => [at_us, id],
  });
  return {
    rows: rows.map(({ at_us: _, as_of: __, ...row }) => row),
    ...neighbours,
    asOf: found[0]?.as_of ?? NEVER,
  };
}

const isMine = (ctx: Ctx<Merchant>) =>
  exists(
    ctx.db
      .select({ one: raw`1` })
      .from(stores)
      .where(and(eq(stores.id, notifications.storeId), eq(stores.merchantId, ctx.actor.merchantId))),
  );

export const OneNotification = z.strictObject({ id: z.uuid() });

/** For everybody at the merchant. One that was read already stays as it is. @throws DomainError not_found */
export async function markRead(ctx: Ctx<Merchant>, input: z.infer<typeof OneNotification>): Promise<void> {
  const marked = await ctx.db
    .update(notifications)
    .set({ readAt: raw`coalesce(${notifications.readAt}, ${ctx.now.toISOString()})` })
    .where(and(eq(notifications.id, input.id), isMine(ctx)))
    .returning({ id: notifications.id });
  if (marked.length === 0) throw notFound("notification");
}

/** `until`: `asOf` of what was shown. Without it, all that there are now. */
export const MarkAllRead = z.strictObject({
  until: z
    .string(LOAD_AGAIN)
    .max(40, LOAD_AGAIN)
    .pipe(z.iso.datetime(LOAD_AGAIN))
    .refine((until) => isInReach(new Date(until)), LOAD_AGAIN)
    .optional(),
});

/** What came after it was shown stays unread: nobody has seen it. */
export async function markAllRead(ctx: Ctx<Merchant>, { until }: z.infer<typeof MarkAllRead> = {}): Promise<void> {
  // As text: a Date would leave out what came in the same millisecond.
  const shown = until === undefined ? undefined : lte(notifications.createdAt, raw`${until}::timestamptz`);
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.now })
    .where(and(isNull(notifications.readAt), isMine(ctx), shown));
}
