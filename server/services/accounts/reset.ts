// A forgotten password: a link to the account's own mailbox, good for one hour and one use.
import { eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../../db/schema/accounts";
import type { Anonymous, Ctx } from "../../context";
import * as audit from "../audit";
import * as mail from "../mail";
import * as passwords from "../passwords";
import type { From } from "./account";
import { type AwaitsCode, enter, type LoggedIn, setPassword } from "./entry";
import { evenly } from "./evenly";
import { Email, requireImpersonal } from "./fields";
import * as tokens from "./tokens";

export const RequestReset = z.strictObject({ email: Email });

/**
 * Sends the link, where there is an account; the answer is the same for every address.
 * @throws DomainError rate_limited after 3 in an hour for this address
 */
export async function requestReset(
  ctx: Ctx<Anonymous>,
  { email, address }: z.infer<typeof RequestReset> & From,
): Promise<void> {
  await ctx.limits.linkTo("reset", email, address);
  await evenly(() =>
    ctx.db.transaction(async (tx) => {
      const [account] = await tx.select().from(accounts).where(eq(accounts.email, email)).for("update");
      if (!account) return;
      const token = await tokens.mint(ctx, tx, { accountId: account.id, purpose: "reset", email });
      await mail.send(ctx, tx, { to: email, template: "reset", data: { token } });
      await audit.record(ctx, tx, { action: "account.request_reset", target: ["account", account.id] });
    }),
  );
}

export const PeekReset = z.strictObject({ token: tokens.Token });

/** What the page behind a reset link shows; the link is not used by it. */
export async function peekReset(ctx: Ctx<Anonymous>, input: z.infer<typeof PeekReset>) {
  const { state, email } = await tokens.look(ctx, ctx.db, "reset", input.token);
  return state === "valid" ? { state, email: email! } : { state };
}

export const Reset = z.strictObject({ token: tokens.Token, password: passwords.NewPassword });

/**
 * Sets the password that the link's holder chose, and ends all sessions. The link proves the address too, so an
 * unverified account is verified by it; a second factor is asked for as at any log-in.
 * @throws DomainError conflict (`details.reason`: used, expired, unknown), invalid_input
 */
export async function reset(ctx: Ctx<Anonymous>, input: z.infer<typeof Reset> & From): Promise<LoggedIn | AwaitsCode> {
  const { account } = await tokens.requireValid(ctx, ctx.db, "reset", input.token);
  requireImpersonal(input.password, account);
  const passwordHash = await passwords.hash(input.password);
  const entry = await ctx.db.transaction(async (tx) => {
    const { account } = await tokens.redeem(ctx, tx, "reset", input.token);
    await tokens.withdraw(ctx, tx, account.id, ["verify"]);
    await audit.record(ctx, tx, { action: "account.reset_password", target: ["account", account.id] });
    return enter(ctx, tx, await setPassword(ctx, tx, account, passwordHash));
  });
  if ("email" in entry) await ctx.limits.loggedIn(entry, input.address);
  return entry;
}
