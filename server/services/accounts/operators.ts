// What only the command line does to people: it makes operators and unmakes them, and ends anybody's sessions.
import { randomBytes } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { z } from "zod";
import { accounts, secondFactors } from "../../../db/schema/accounts";
import { sessions } from "../../../db/schema/sessions";
import type { Ctx, Operator, System } from "../../context";
import { DomainError, notFound } from "../../errors";
import * as audit from "../audit";
import * as passwords from "../passwords";
import { Email, PersonName } from "./fields";
import * as tokens from "./tokens";

export const CreateOperator = z.strictObject({ email: Email, name: PersonName });

/**
 * Makes an operator with a first password, verified. A verified account becomes one and keeps its password; a sign-up
 * that never proved its address keeps nothing.
 * @returns the password where one was made: shown once
 * @throws DomainError conflict when the account is an operator already
 */
export async function createOperator(ctx: Ctx<Operator | System>, input: z.infer<typeof CreateOperator>) {
  const password = randomBytes(15).toString("base64url");
  const fresh = { ...input, passwordHash: await passwords.hash(password), emailVerifiedAt: ctx.now, signUpProof: null };
  return ctx.db.transaction(async (tx) => {
    const told = { id: accounts.id, name: accounts.name };
    const [made] = await tx
      .insert(accounts)
      .values({ ...fresh, isOperator: true })
      .onConflictDoNothing()
      .returning(told);
    const [existing] = made
      ? []
      : await tx.select().from(accounts).where(eq(accounts.email, input.email)).for("update");
    if (existing?.isOperator) throw new DomainError("conflict", `${input.email} is already an operator.`);
    const keepsPassword = Boolean(existing?.emailVerifiedAt);
    const [account] = made
      ? [made]
      : await tx
          .update(accounts)
          .set({ ...(keepsPassword ? {} : fresh), isOperator: true })
          .where(eq(accounts.email, input.email))
          .returning(told);
    if (!account)
      throw new DomainError("conflict", `The account of ${input.email} was deleted at this moment. Try again.`);
    if (existing && !keepsPassword) await tokens.withdraw(ctx, tx, existing.id, ["verify", "reset"]);
    await audit.record(ctx, tx, { action: "operator.create", target: ["account", account.id] });
    return { ...account, email: input.email, password: keepsPassword ? null : password };
  });
}

type OperatorListing = Pick<typeof accounts.$inferSelect, "id" | "name" | "email"> & {
  /** When they turned two-factor authentication on. */
  secondFactor: Date | null;
};

/** Every operator, by name. */
export const operators = (ctx: Ctx<Operator>): Promise<OperatorListing[]> =>
  ctx.db
    .select({ id: accounts.id, name: accounts.name, email: accounts.email, secondFactor: secondFactors.enabledAt })
    .from(accounts)
    .leftJoin(secondFactors, eq(secondFactors.accountId, accounts.id))
    .where(eq(accounts.isOperator, true))
    .orderBy(asc(accounts.name), asc(accounts.id));

export const OfAccount = z.strictObject({ email: Email });

/**
 * Takes the desk from an operator, the last one too, and ends their sessions; the account stays.
 * @throws DomainError not_found
 */
export async function removeOperator(ctx: Ctx<Operator>, { email }: z.infer<typeof OfAccount>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.email, email)).for("update");
    if (!account?.isOperator) throw notFound("operator");
    await tx.update(accounts).set({ isOperator: false }).where(eq(accounts.id, account.id));
    await tx.delete(sessions).where(eq(sessions.accountId, account.id));
    await audit.record(ctx, tx, { action: "operator.remove", target: ["account", account.id] });
  });
}

/**
 * Logs somebody out everywhere: from the next request on. Their password still lets them in.
 * @returns how many sessions there were
 * @throws DomainError not_found
 */
export async function revokeSessions(ctx: Ctx<Operator>, { email }: z.infer<typeof OfAccount>): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const [account] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email));
    if (!account) throw notFound("account");
    const ended = await tx.delete(sessions).where(eq(sessions.accountId, account.id)).returning({ id: sessions.id });
    await audit.record(ctx, tx, {
      action: "account.revoke_sessions",
      target: ["account", account.id],
      after: { sessions: ended.length },
    });
    return ended.length;
  });
}
