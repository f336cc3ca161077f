// A merchant's yes and no to a platform. Each holds from the next request on; said again, it changes nothing.
import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Database } from "../../db/client";
import { consumers } from "../../db/schema/consumers";
import { blocks, grants } from "../../db/schema/merchants";
import type { Ctx, Merchant } from "../context";
import { DomainError, notFound } from "../errors";
import { OnePlatform } from "./agents";
import * as audit from "./audit";
import { lockOwnStore } from "./ownership";

export const DecideAgent = OnePlatform;
type Decision = z.infer<typeof DecideAgent>;

/** The platform is not served this store any more. @throws DomainError not_found, conflict (the demo store) */
export const block = (ctx: Ctx<Merchant>, input: Decision) =>
  decide(ctx, input, "agent.block", (tx, pair) =>
    tx
      .insert(blocks)
      .values({ ...pair, createdAt: ctx.now, createdBy: ctx.actor.accountId })
      .onConflictDoNothing()
      .returning({ at: blocks.createdAt }),
  );

/** @throws DomainError not_found, conflict (the demo store) */
export const unblock = (ctx: Ctx<Merchant>, input: Decision) =>
  decide(ctx, input, "agent.unblock", (tx, { consumerId, storeId }) =>
    tx
      .delete(blocks)
      .where(and(eq(blocks.consumerId, consumerId), eq(blocks.storeId, storeId)))
      .returning({ at: blocks.createdAt }),
  );

/**
 * What a platform in explicit coverage needs to read the store. Granting to one that reads by default is refused: it
 * would promise something that changes nothing.
 * @throws DomainError not_found, conflict
 */
export const grant = (ctx: Ctx<Merchant>, input: Decision) =>
  decide(ctx, input, "agent.grant", (tx, pair, { coverage }) => {
    if (coverage !== "explicit") {
      throw new DomainError("conflict", "This platform needs no grant: it reads stores by default. You can block it.");
    }
    return tx
      .insert(grants)
      .values({ ...pair, createdAt: ctx.now, createdBy: ctx.actor.accountId })
      .onConflictDoNothing()
      .returning({ at: grants.createdAt });
  });

/** @throws DomainError not_found, conflict (the demo store) */
export const withdraw = (ctx: Ctx<Merchant>, input: Decision) =>
  decide(ctx, input, "agent.withdraw", (tx, { consumerId, storeId }) =>
    tx
      .delete(grants)
      .where(and(eq(grants.consumerId, consumerId), eq(grants.storeId, storeId)))
      .returning({ at: grants.createdAt }),
  );

interface Pair {
  consumerId: string;
  storeId: string;
}

/** @param change gives what it changed; nothing where it was so already, and then nothing is recorded */
async function decide(
  ctx: Ctx<Merchant>,
  { store: slug, platform }: Decision,
  action: audit.Action,
  change: (
    tx: Database,
    pair: Pair,
    consumer: Pick<typeof consumers.$inferSelect, "coverage">,
  ) => Promise<{ at: Date }[]>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const store = await lockOwnStore(ctx, tx, { store: slug });
    if (store.isDemo) throw new DomainError("conflict", `${store.name} is the demo store: every platform may read it.`);
    // Sandbox platforms read no merchant's store: to a merchant they do not exist.
    const [consumer] = await tx
      .select({ id: consumers.id, coverage: consumers.coverage })
      .from(consumers)
      .where(and(eq(consumers.slug, platform), eq(consumers.tier, "production")));
    if (!consumer) throw notFound("platform");
    const changed = await change(tx, { consumerId: consumer.id, storeId: store.id }, consumer);
    if (changed.length === 0) return;
    const after = { platform, consumerId: consumer.id };
    await audit.record(ctx, tx, { action, target: ["store", store.id], after });
  });
}
