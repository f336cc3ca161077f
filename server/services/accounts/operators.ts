// Operators are made at the command line.
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../../db/schema/accounts";
import type { Ctx, Operator, System } from "../../context";
import { DomainError } from "../../errors";
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
    const [existing] = await tx.select().from(accounts).where(eq(accounts.email, input.email)).for("update");
    if (existing?.isOperator) throw new DomainError("conflict", `${input.email} is an operator already.`);
    const keepsPassword = Boolean(existing?.emailVerifiedAt);
    const [account] = existing
      ? await tx
          .update(accounts)
          .set({ ...(keepsPassword ? {} : fresh), isOperator: true })
          .where(eq(accounts.id, existing.id))
          .returning({ id: accounts.id })
      : await tx
          .insert(accounts)
          .values({ ...fresh, isOperator: true })
          .returning({ id: accounts.id });
    if (existing && !keepsPassword) await tokens.withdraw(ctx, tx, existing.id, ["verify", "reset"]);
    await audit.record(ctx, tx, { action: "operator.create", target: ["account", account!.id] });
    return { id: account!.id, ...input, password: keepsPassword ? null : password };
  });
}
