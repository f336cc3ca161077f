// From a stranger to a verified account.
//
// Nobody can pre-register another's address with a password that stays: a password chosen at sign-up holds only if the
// link is followed in the very browser that signed up (it was given a secret then). Anywhere else the link's holder
// types the password anew, and what is typed there is the account's, whoever signed up before.
import { timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { accounts } from "../../../db/schema/accounts";
import type { Anonymous, Ctx } from "../../context";
import { refuseField } from "../../errors";
import * as audit from "../audit";
import * as mail from "../mail";
import * as passwords from "../passwords";
import type { Account, From } from "./account";
import { evenly } from "./evenly";
import { Email, OF_PERSON, PersonName, requireImpersonal } from "./fields";
import * as tokens from "./tokens";

export const SignUp = z
  .strictObject({ name: PersonName, email: Email, password: passwords.NewPassword })
  .refine(({ password, ...person }) => !passwords.isOfPerson(password, person), {
    path: ["password"],
    error: OF_PERSON,
  });

/**
 * Answers alike whether or not the address is taken; its owner gets a mail that says which.
 * @returns `proof`: for a cookie of this browser, see `verify`
 * @throws DomainError rate_limited
 */
export async function signUp(ctx: Ctx<Anonymous>, input: z.infer<typeof SignUp> & From): Promise<{ proof: string }> {
  const { name, email, password, address } = input;
  await ctx.limits.signUp(address);
  await ctx.limits.linkTo("verify", email, address);
  return evenly(async () => {
    const proof = tokens.newSecret();
    const person = { name, passwordHash: await passwords.hash(password), signUpProof: tokens.hashOf(proof) };
    await ctx.db.transaction(async (tx) => {
      const [made] = await tx
        .insert(accounts)
        .values({ ...person, email })
        .onConflictDoNothing()
        .returning();
      const [account] = made ? [made] : await tx.select().from(accounts).where(eq(accounts.email, email)).for("update");
      // Deleted between the two statements: whoever signs up again is served.
      if (!account) return;
      const after = account.emailVerifiedAt ? { after: { taken: true } } : {};
      await audit.record(ctx, tx, { action: "account.sign_up", target: ["account", account.id], ...after });
      if (account.emailVerifiedAt) {
        await mail.send(ctx, tx, { to: email, template: "address-taken", data: {} });
        return;
      }
      if (!made) await tx.update(accounts).set(person).where(eq(accounts.id, account.id));
      const token = await tokens.mint(ctx, tx, { accountId: account.id, purpose: "verify", email });
      await mail.send(ctx, tx, { to: email, template: "verify", data: { token } });
    });
    return { proof };
  });
}

export const PeekVerification = z.strictObject({ token: tokens.Token, proof: z.string().max(100).optional() });

/** What the page behind a verification link shows; the link is not used by it. */
export async function peekVerification(ctx: Ctx<Anonymous>, input: z.infer<typeof PeekVerification>) {
  const { state, account, email } = await tokens.look(ctx, ctx.db, "verify", input.token);
  if (state !== "valid") return { state };
  return { state, email: email!, name: account!.name, needsPassword: !isOwnBrowser(account!, input.proof) };
}

export const Verify = z.strictObject({
  token: tokens.Token,
  /** What `signUp` gave to this browser. */
  proof: z.string().max(100).optional(),
  /** Needed without a proof that fits. It becomes the account's, the same as at sign-up or another. */
  password: passwords.NewPassword.optional(),
  name: PersonName.optional(),
});

/**
 * The button behind the link in the mail: the address is proven, and may log in.
 * @throws DomainError conflict (`details.reason`: used, expired, unknown), invalid_input (a password is needed)
 */
export async function verify(ctx: Ctx<Anonymous>, input: z.infer<typeof Verify>): Promise<{ email: string }> {
  const { account } = await tokens.requireValid(ctx, ctx.db, "verify", input.token);
  if (!input.password && !isOwnBrowser(account, input.proof)) throw needsPassword();
  const chosen = input.password ? { passwordHash: await passwords.hash(input.password) } : {};
  return ctx.db.transaction(async (tx) => {
    const { account, email } = await tokens.redeem(ctx, tx, "verify", input.token);
    const name = input.name ?? account.name;
    if (input.password) requireImpersonal(input.password, { name, email });
    // Asked again under the lock: somebody may have signed up with this address since.
    else if (!isOwnBrowser(account, input.proof)) throw needsPassword();
    await tx
      .update(accounts)
      .set({
        ...chosen,
        name,
        emailVerifiedAt: ctx.now,
        signUpProof: null,
        passwordVersion: account.passwordVersion + 1,
      })
      .where(eq(accounts.id, account.id));
    await tokens.withdraw(ctx, tx, account.id, ["verify"]);
    await audit.record(ctx, tx, { action: "account.verify", target: ["account", account.id] });
    return { email };
  });
}

const needsPassword = () => refuseField("password", "Enter your password: you signed up in a different browser.");

function isOwnBrowser(account: Account, proof: string | undefined): boolean {
  return (
    proof !== undefined && account.signUpProof !== null && timingSafeEqual(account.signUpProof, tokens.hashOf(proof))
  );
}

export const ResendVerification = z.strictObject({ email: Email });

/**
 * Another verification link, for an account that needs one; the answer is the same for every address.
 * @throws DomainError rate_limited after 3 in an hour for this address
 */
export async function resendVerification(
  ctx: Ctx<Anonymous>,
  { email, address }: z.infer<typeof ResendVerification> & From,
): Promise<void> {
  await ctx.limits.linkTo("verify", email, address);
  await evenly(() =>
    ctx.db.transaction(async (tx) => {
      const [account] = await tx.select().from(accounts).where(eq(accounts.email, email)).for("update");
      if (!account || account.emailVerifiedAt) return;
      const token = await tokens.mint(ctx, tx, { accountId: account.id, purpose: "verify", email });
      await mail.send(ctx, tx, { to: email, template: "verify", data: { token } });
      await audit.record(ctx, tx, { action: "account.resend_verification", target: ["account", account.id] });
    }),
  );
}
