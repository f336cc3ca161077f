import { directoryPack } from "../directory-pack";
import * as applications from "../services/applications";
import * as consumers from "../services/consumers";
import * as members from "../services/members";
import * as memberships from "../services/memberships";
import * as overview from "../services/overview";
import * as terms from "../services/terms";
import { anyone, consumersOf, member, operator, owner, requireSame, router, signedIn } from "./trpc";

export const consumerRouter = router({
  /** The consumers that the person may look at. */
  mine: signedIn.query(({ ctx }) => consumersOf(ctx)),
  /** Those that they may look at no more, since their time as a reviewer is over. */
  ended: signedIn.query(({ ctx: { op } }) => memberships.ended(op)),
  /** Which of them they look at now, and as what. */
  current: member.query(({ ctx: { op } }) => ({ consumerId: op.actor.consumerId, role: op.actor.role })),
  /** Is it still the one that a form's page was about? @throws DomainError conflict */
  expect: member
    .input(memberships.ChooseConsumer)
    .query(({ ctx: { op }, input }) => requireSame(op.actor.consumerId, input.consumerId)),
  choose: signedIn
    .input(memberships.ChooseConsumer)
    .mutation(({ ctx: { op, visitor }, input }) => memberships.choose(op, { ...input, sessionId: visitor.session.id })),
  colleagues: member.query(({ ctx: { op } }) => members.colleagues(op)),
  overview: member.query(({ ctx: { op } }) => overview.read(op)),
  inUse: member.query(({ ctx: { op } }) => overview.inUse(op, op.actor)),
  /** The pack of its directory endpoint, as base64 of a zip. */
  directoryPack: member.query(async ({ ctx: { op } }) =>
    directoryPack(op, await consumers.directoryEntry(op, op.actor)),
  ),
  requestProduction: owner.mutation(({ ctx: { op } }) => overview.requestProduction(op)),
});

export const applicationRouter = router({
  hasApplied: signedIn.query(({ ctx: { op } }) => applications.hasApplied(op)),
  submit: signedIn
    .input(applications.SubmitApplication)
    .mutation(({ ctx: { op }, input }) => applications.submit(op, input)),
  get: member.query(({ ctx: { op } }) => applications.get(op)),
  edit: owner.input(applications.EditApplication).mutation(({ ctx: { op }, input }) => applications.edit(op, input)),
});

export const termsRouter = router({
  current: anyone.query(({ ctx: { op } }) => terms.current(op)),
  due: member.query(({ ctx: { op } }) => terms.due(op)),
  accept: owner.input(terms.AcceptTerms).mutation(({ ctx: { op }, input }) => terms.accept(op, input)),
  versions: operator.query(({ ctx: { op } }) => terms.versions(op)),
  get: operator.input(terms.GetTerms).query(({ ctx: { op }, input }) => terms.get(op, input)),
  draft: operator.input(terms.DraftTerms).query(({ ctx: { op }, input }) => terms.draft(op, input)),
  publish: operator.input(terms.PublishTerms).mutation(({ ctx: { op }, input }) => terms.publish(op, input)),
});
