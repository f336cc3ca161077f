// The end of sessions, by whoever they are of; each is an act like any other.
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { sessions } from "../../../db/schema/sessions";
import type { Ctx, SignedIn } from "../../context";
import * as audit from "../audit";

/** `id` as the list of sessions has it. */
export const EndSession = z.strictObject({ id: z.string().max(100) });

/** Ends the session that this browser has. */
export const logOut = (ctx: Ctx<SignedIn>, input: z.infer<typeof EndSession>): Promise<void> =>
  end(ctx, "account.log_out", input.id);

/** Ends another session of one's own; one that is no longer there, or is somebody else's, is nothing to end. */
export const endSession = (ctx: Ctx<SignedIn>, input: z.infer<typeof EndSession>): Promise<void> =>
  end(ctx, "account.end_session", input.id);

/** Ends every session, this one too. */
export const endSessions = (ctx: Ctx<SignedIn>): Promise<void> => end(ctx, "account.end_sessions");

/** @param id of one session; all of the person's without */
async function end(ctx: Ctx<SignedIn>, action: audit.Action, id?: string): Promise<void> {
  const { accountId } = ctx.actor;
  await ctx.db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.accountId, accountId), id === undefined ? undefined : eq(sessions.id, id)))
      .returning({ id: sessions.id });
    if (ended.length > 0) await audit.record(ctx, tx, { action, target: ["account", accountId] });
  });
}
