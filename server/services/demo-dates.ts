// A seed dates what it loads from its own day. So that the demo always has promotions that run and some to come, deliveries that
// are expected, and a reviewer, these dates are moved on now and then, by as many days as have passed.
import { sql as raw } from "drizzle-orm";
import { DAY_MS } from "../clock";
import type { Ctx, System } from "../context";
import * as audit from "./audit";
import { DEMO_CONSUMER } from "./demo-consumer";
import { each } from "./each";
import { REVIEWER_DAYS } from "./last-day";
import { lockOwnStore } from "./ownership";

/** Of what a seed dates, something still runs and something is still to come after so many days. */
const FRESH_DAYS = 14;
export const REVIEWER = "reviewer@demo.example";
/** The slugs of its stores, which are folders of `db/seed`. */
export const DEMO_STORES = ["tarn-and-timber", "ridgeline-supply", "harbour-lane-home"];

/** SQL condition on a store, `s`: a seed made it, rather than somebody else under a name of the demo's. */
export const isSeeded = <T>(sql: (parts: TemplateStringsArray) => T): T => sql`exists (select from audit a
  where a.target_id = s.id::text and a.target_kind = 'store' and a.action = 'store.create' and a.actor_kind = 'system')`;

/** SQL condition on a store, `s`: it is as a seed left it, and nobody acts for its merchant but the demo's own people. */
const isUntouched = raw`not exists (select from audit a
    where a.target_id = s.id::text and a.target_kind = 'store' and a.actor_kind <> 'system'
      and split_part(a.action, '.', 1) in ('feed', 'inventory', 'promotion', 'promotions'))
  and not exists (select from merchant_members m join accounts p on p.id = m.account_id
    where m.merchant_id = s.merchant_id and p.email not like '%@demo.example')`;

/** SQL: seeded stores whose dates are old, with the instant that they are dated from. */
const oldStores = ({ now }: Ctx<System>) => raw`
  select s.id, dated.at from stores s
  cross join lateral (
    select coalesce((a.after->>'datedFrom')::timestamptz, a.at) as at from audit a
    where a.target_id = s.id::text and a.target_kind = 'store' and a.actor_kind = 'system'
      and a.action in ('promotions.replace', 'demo.renew')
    order by a.id desc limit 1) dated
  where s.slug in ${DEMO_STORES} and dated.at <= ${daysBefore(now, FRESH_DAYS).toISOString()} and ${isSeeded(raw)} and ${isUntouched}`;

/**
 * Moves on the dates of the demo where they are old. What people have changed stays: their promotions, counts or catalogue in a
 * store of the demo's, the reviewer that they renewed.
 * @throws AggregateError with the stores that failed, by id, once the others are done
 */
export async function renew(ctx: Ctx<System>): Promise<void> {
  const stores = await ctx.db.execute<{ id: string }>(oldStores(ctx));
  await each([
    ...stores.map(({ id }) => [id, () => renewStore(ctx, id)] as const),
    [REVIEWER, () => renewReviewer(ctx)] as const,
  ]);
}

const renewStore = (ctx: Ctx<System>, storeId: string): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await lockOwnStore(ctx, tx, storeId);
    // Asked again: another instance may have done it, or somebody has changed something.
    const [store] = await tx.execute<{ at: string }>(raw`${oldStores(ctx)} and s.id = ${storeId}`);
    if (!store) return;
    const passed = raw`(${ctx.now.toISOString()}::timestamptz - ${new Date(store.at).toISOString()}::timestamptz)`;
    await tx.execute(raw`
      update promotions set starts_at = starts_at + ${passed}, ends_at = ends_at + ${passed} where store_id = ${storeId}`);
    await tx.execute(raw`
      update inventory_levels set restock_at = restock_at + ${passed} where store_id = ${storeId} and restock_at is not null`);
    const after = { datedFrom: ctx.now };
    await audit.record(ctx, tx, { action: "demo.renew", target: ["store", storeId], after });
  });

/** Not one who was removed, or whom people have given an end of their own. */
const renewReviewer = (ctx: Ctx<System>): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const endsAt = new Date(ctx.now.getTime() + REVIEWER_DAYS * DAY_MS);
    const [renewed] = await tx.execute<{ consumerId: string; account: string }>(raw`
      update members m set granted_at = ${ctx.now.toISOString()}, ends_at = ${endsAt.toISOString()}
      from consumers c, accounts p
      where c.slug = ${DEMO_CONSUMER} and m.consumer_id = c.id and p.email = ${REVIEWER} and m.account_id = p.id
        and m.role = 'reviewer' and m.granted_at <= ${daysBefore(ctx.now, FRESH_DAYS).toISOString()}
        and not exists (select from audit a where a.target_id = c.id::text and a.target_kind = 'consumer'
          and a.actor_kind <> 'system' and a.action like 'member.%' and a.after->>'account' = p.id::text)
      returning c.id as "consumerId", p.id as account`);
    if (!renewed) return;
    const { consumerId, account } = renewed;
    await audit.record(ctx, tx, {
      action: "member.renew",
      target: ["consumer", consumerId],
      after: { account, endsAt },
    });
  });

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);
