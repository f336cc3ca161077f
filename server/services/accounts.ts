// People who sign in.
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../db/schema/accounts";
import type { Ctx, Operator, System } from "../context";
import { DomainError } from "../errors";
import * as audit from "./audit";
import * as passwords from "./passwords";

/** Trimmed and in lower case: the form in which addresses are kept and compared. */
export const Email = z.string().trim().toLowerCase().pipe(z.email("Enter an email address.").max(254));

export const CreateOperator = z.strictObject({ email: Email, name: z.string().trim().min(1).max(200) });

/**
 * Makes an operator with a first password, verified; an account that exists already becomes one and keeps its password.
 * @returns the password where one was made: shown once
 * @throws DomainError conflict when the account is an operator already
 */
export async function createOperator(ctx: Ctx<Operator | System>, input: z.infer<typeof CreateOperator>) {
  const password = randomBytes(15).toString("base64url");
  const passwordHash = await passwords.hash(password);
  return ctx.db.transaction(async (tx) => {
    const [existing] = await tx.select().from(accounts).where(eq(accounts.email, input.email)).for("update");
    if (existing?.isOperator) throw new DomainError("conflict", `${input.email} is an operator already.`);
    const [account] = existing
      ? await tx
          .update(accounts)
          .set({ isOperator: true })
          .where(eq(accounts.id, existing.id))
          .returning({ id: accounts.id })
      : await tx
          .insert(accounts)
          .values({ ...input, passwordHash, isOperator: true, emailVerifiedAt: ctx.now })
          .returning({ id: accounts.id });
    await audit.record(ctx, tx, { action: "operator.create", target: ["account", account!.id] });
    return { id: account!.id, ...input, password: existing ? null : password };
  });
}
