import * as cookies from "../cookies";
import * as accounts from "../services/accounts";
import * as invitations from "../services/invitations";
import * as members from "../services/members";
import * as people from "../services/merchant-people";
import * as sessions from "../sessions";
import { anyone, type CallContext, consumersOf, merchantsOf, requireSame, router, signedIn } from "./trpc";

/** Opens a session for whoever has just logged in, in place of the browser's earlier one, and marks the browser as known. */
async function open(ctx: CallContext, account: accounts.LoggedIn): Promise<void> {
  const { cookie } = await sessions.create(ctx.core, {
    account,
    userAgent: ctx.userAgent,
    address: ctx.address,
    replaces: ctx.visitor?.session,
  });
  ctx.setCookie(cookie);
  ctx.setCookie(cookies.deviceCookie(ctx.core, account));
  if (ctx.confirmedAddress) ctx.setCookie(cookies.clearConfirmedCookie(ctx.core));
}

/** Opens the session, or has the browser ask for a code first. */
async function enter(
  ctx: CallContext,
  entry: accounts.LoggedIn | accounts.AwaitsCode,
): Promise<{ awaitsCode: boolean }> {
  const awaitsCode = "token" in entry;
  if (awaitsCode) ctx.setCookie(cookies.logInCookie(ctx.core, entry.token));
  else await open(ctx, entry);
  return { awaitsCode };
}

export const accountRouter = router({
  /** Who is here; null for a visitor without a session. */
  me: anyone.query(({ ctx }) => ctx.visitor?.account ?? null),
  /** Is it still the one that a form's page was about? @throws DomainError conflict */
  expect: signedIn
    .input(accounts.ExpectAccount)
    .query(({ ctx: { visitor }, input }) =>
      requireSame(visitor.account.id, input.accountId, "account from the one you are logged in with now"),
    ),

  /** Which parts of the site are theirs. */
  parts: signedIn.query(async ({ ctx }) => {
    const { op, visitor } = ctx;
    const [consumers, ofMerchants] = await Promise.all([consumersOf(ctx), merchantsOf(ctx)]);
    const parts = {
      platform: consumers.length > 0,
      merchant: ofMerchants.length > 0,
      operator: visitor.account.isOperator,
    };
    // Whoever has a part already finds an invitation by its link.
    const isNew = !parts.platform && !parts.merchant && !parts.operator;
    return { ...parts, invited: isNew && (await invitations.mine(op)).length > 0 };
  }),

  signUp: anyone.input(accounts.SignUp).mutation(async ({ ctx, input }) => {
    const { proof } = await accounts.signUp(ctx.op, { ...input, address: ctx.address });
    ctx.setCookie(cookies.signUpCookie(ctx.core, proof));
  }),
  peekVerification: anyone
    .input(accounts.PeekVerification.omit({ proof: true }))
    .query(({ ctx, input }) => accounts.peekVerification(ctx.op, { ...input, proof: ctx.signUpProof })),
  verify: anyone.input(accounts.Verify.omit({ proof: true })).mutation(async ({ ctx, input }) => {
    const { email } = await accounts.verify(ctx.op, { ...input, proof: ctx.signUpProof });
    ctx.setCookie(cookies.confirmedCookie(ctx.core, email));
  }),
  /** Of this browser: the address that it confirmed, to log in with. */
  confirmedAddress: anyone.query(({ ctx }) => ctx.confirmedAddress ?? null),
  resendVerification: anyone
    .input(accounts.ResendVerification)
    .mutation(({ ctx, input }) => accounts.resendVerification(ctx.op, { ...input, address: ctx.address })),

  logIn: anyone.input(accounts.LogIn).mutation(async ({ ctx, input }) => {
    const { address, knownDevice } = ctx;
    return enter(ctx, await accounts.logIn(ctx.op, { ...input, address, knownDevice }));
  }),
  /** Does a log-in of this browser wait for its code? */
  awaitsCode: anyone.query(async ({ ctx }) => accounts.awaitsCode(ctx.op, ctx.logInToken ?? "")),
  finishLogIn: anyone.input(accounts.FinishLogIn).mutation(async ({ ctx, input }) => {
    const { address, knownDevice, logInToken: token = "" } = ctx;
    await open(ctx, await accounts.finishLogIn(ctx.op, { ...input, address, knownDevice, token }));
    ctx.setCookie(cookies.clearLogInCookie(ctx.core));
  }),
  logOut: signedIn.mutation(async ({ ctx }) => {
    await accounts.logOut(ctx.op, { id: ctx.visitor.session.id });
    ctx.setCookie(sessions.clearCookie(ctx.core));
  }),
  sessions: signedIn.query(({ ctx }) => sessions.list(ctx.core, ctx.visitor.account.id, ctx.visitor.session.id)),
  endSession: signedIn.input(accounts.EndSession).mutation(({ ctx, input }) => accounts.endSession(ctx.op, input)),
  /** Log out everywhere, here too. */
  endAllSessions: signedIn.mutation(async ({ ctx }) => {
    await accounts.endSessions(ctx.op);
    ctx.setCookie(sessions.clearCookie(ctx.core));
  }),

  requestReset: anyone
    .input(accounts.RequestReset)
    .mutation(({ ctx, input }) => accounts.requestReset(ctx.op, { ...input, address: ctx.address })),
  peekReset: anyone.input(accounts.PeekReset).query(({ ctx, input }) => accounts.peekReset(ctx.op, input)),
  reset: anyone
    .input(accounts.Reset)
    .mutation(async ({ ctx, input }) => enter(ctx, await accounts.reset(ctx.op, { ...input, address: ctx.address }))),

  profile: signedIn.query(({ ctx }) => accounts.profile(ctx.op)),
  changeName: signedIn.input(accounts.ChangeName).mutation(({ ctx, input }) => accounts.changeName(ctx.op, input)),
  changePassword: signedIn.input(accounts.ChangePassword).mutation(async ({ ctx, input }) => {
    await open(ctx, await accounts.changePassword(ctx.op, input));
  }),
  changeEmail: signedIn
    .input(accounts.ChangeEmail)
    .mutation(({ ctx, input }) => accounts.changeEmail(ctx.op, { ...input, address: ctx.address })),
  withdrawEmail: signedIn
    .input(accounts.WithdrawEmail)
    .mutation(({ ctx, input }) => accounts.withdrawEmail(ctx.op, input)),
  peekEmail: anyone
    .input(accounts.PeekEmail)
    .query(({ ctx, input }) => accounts.peekEmail(ctx.op, { ...input, loggedInAs: ctx.visitor?.account.id })),
  /** `isOwn`: is it the account that is logged in here? */
  confirmEmail: anyone.input(accounts.ConfirmEmail).mutation(async ({ ctx, input }) => {
    const loggedInAs = ctx.visitor?.account.id;
    const { accountId, email } = await accounts.confirmEmail(ctx.op, { ...input, loggedInAs });
    const isOwn = loggedInAs === accountId;
    if (!isOwn) ctx.setCookie(cookies.confirmedCookie(ctx.core, email));
    return { isOwn };
  }),

  secondFactor: signedIn.query(({ ctx }) => accounts.secondFactor(ctx.op, { sessionId: ctx.visitor.session.id })),
  beginSecondFactor: signedIn
    .input(accounts.BeginSecondFactor)
    .mutation(({ ctx, input }) => accounts.beginSecondFactor(ctx.op, { ...input, sessionId: ctx.visitor.session.id })),
  enableSecondFactor: signedIn.input(accounts.EnableSecondFactor).mutation(async ({ ctx, input }) => {
    const { account, recoveryCodes } = await accounts.enableSecondFactor(ctx.op, {
      ...input,
      sessionId: ctx.visitor.session.id,
    });
    await open(ctx, account);
    return { recoveryCodes };
  }),
  renewRecoveryCodes: signedIn.input(accounts.ProveBoth).mutation(async ({ ctx, input }) => ({
    recoveryCodes: await accounts.renewRecoveryCodes(ctx.op, input),
  })),
  disableSecondFactor: signedIn
    .input(accounts.ProveBoth)
    .mutation(({ ctx, input }) => accounts.disableSecondFactor(ctx.op, input)),

  ownData: signedIn.query(({ ctx }) => accounts.ownData(ctx.op)),
  deletionEffects: signedIn.query(({ ctx }) => accounts.deletionEffects(ctx.op)),
  leavePlatform: signedIn.input(members.LeaveConsumer).mutation(({ ctx: { op }, input }) => members.leave(op, input)),
  leaveMerchant: signedIn.input(people.LeaveMerchant).mutation(({ ctx: { op }, input }) => people.leave(op, input)),
  delete: signedIn.input(accounts.DeleteAccount).mutation(async ({ ctx, input }) => {
    await accounts.deleteAccount(ctx.op, input);
    ctx.setCookie(sessions.clearCookie(ctx.core));
  }),
});
