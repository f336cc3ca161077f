// A person's own consumers, asked anew at each request: a membership that ended has ended.
import { and, asc, desc, eq, gt, isNull, lte, or } from "drizzle-orm";
import { z } from "zod";
import { consumers, members } from "../../db/schema/consumers";
import { sessions } from "../../db/schema/sessions";
import type { Ctx, Member, SignedIn } from "../context";
import { notFound } from "../errors";

export interface Membership {
  consumerId: string;
  slug: string;
  name: string;
  state: (typeof consumers.$inferSelect)["state"];
  revokedFrom: (typeof consumers.$inferSelect)["revokedFrom"];
  role: Member["role"];
  /** When a reviewer's access ends. */
  endsAt: Date | null;
}

/** A person's consumers by name, without those where access has ended. */
export const mine = (ctx: Ctx<SignedIn>): Promise<Membership[]> =>
  ctx.db
    .select({
      consumerId: consumers.id,
      slug: consumers.slug,
      name: consumers.name,
      state: consumers.state,
      revokedFrom: consumers.revokedFrom,
      role: members.role,
      endsAt: members.endsAt,
    })
    .from(members)
    .innerJoin(consumers, eq(consumers.id, members.consumerId))
    .where(and(eq(members.accountId, ctx.actor.accountId), or(isNull(members.endsAt), gt(members.endsAt, ctx.now))))
    .orderBy(asc(consumers.name), asc(consumers.id));

/** Where the person's access as a reviewer has ended, the latest first. */
export const ended = (ctx: Ctx<SignedIn>) =>
  ctx.db
    .select({ consumerId: consumers.id, name: consumers.name, endsAt: members.endsAt })
    .from(members)
    .innerJoin(consumers, eq(consumers.id, members.consumerId))
    .where(and(eq(members.accountId, ctx.actor.accountId), lte(members.endsAt, ctx.now)))
    .orderBy(desc(members.endsAt), asc(consumers.id));

export const ChooseConsumer = z.strictObject({ consumerId: z.uuid() });

/** Which of their consumers a person looks at from now on, in this session. @throws DomainError not_found */
export async function choose(
  ctx: Ctx<SignedIn>,
  input: z.infer<typeof ChooseConsumer> & { sessionId: string },
): Promise<void> {
  const chosen = (await mine(ctx)).find((membership) => membership.consumerId === input.consumerId);
  if (!chosen) throw notFound("consumer");
  await ctx.db
    .update(sessions)
    .set({ consumerId: chosen.consumerId })
    .where(and(eq(sessions.id, input.sessionId), eq(sessions.accountId, ctx.actor.accountId)));
}
