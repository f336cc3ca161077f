import { directoryPack } from "../directory-pack";
import * as consumers from "../services/consumers";
import * as keys from "../services/keys";
import * as members from "../services/members";
import * as overview from "../services/overview";
import * as review from "../services/review";
import { operator, router } from "./trpc";

/** Every consumer, for operators; what members do with their own is `consumer`. */
export const consumersRouter = router({
  find: operator.input(consumers.FindConsumers).query(({ ctx: { op }, input }) => consumers.find(op, input)),
  get: operator.input(consumers.GetConsumer).query(({ ctx: { op }, input }) => consumers.get(op, input)),
  evidence: operator.input(consumers.OneConsumer).query(({ ctx: { op }, input }) => review.evidence(op, input)),
  inUse: operator.input(consumers.OneConsumer).query(({ ctx: { op }, input }) => overview.inUse(op, input)),
  change: operator
    .input(consumers.ChangeShownConsumer)
    .mutation(({ ctx: { op }, input: { slug, version, ...set } }) => consumers.change(op, { slug, version, set })),
  members: operator.input(consumers.OneConsumer).query(({ ctx: { op }, input }) => members.team(op, input)),
  addMember: operator.input(members.AddMember).mutation(({ ctx: { op }, input }) => members.add(op, input)),
  renewMember: operator.input(members.RenewMember).mutation(({ ctx: { op }, input }) => members.renew(op, input)),
  changeMemberRole: operator
    .input(members.ChangeRole)
    .mutation(({ ctx: { op }, input }) => members.changeRole(op, input)),
  removeMember: operator.input(members.RemoveMember).mutation(({ ctx: { op }, input }) => members.remove(op, input)),
  keys: operator.input(consumers.OneConsumer).query(({ ctx: { op }, input }) => keys.list(op, input)),
  revokeKey: operator.input(keys.RevokeKey).mutation(({ ctx: { op }, input }) => keys.revoke(op, input)),
  usage: operator.input(consumers.OneConsumer).query(({ ctx: { op }, input }) => consumers.usage(op, input)),
  directoryPack: operator
    .input(consumers.OneConsumer)
    .query(async ({ ctx: { op }, input }) => directoryPack(op, await consumers.directoryEntry(op, input))),
  history: operator.input(consumers.ConsumerHistory).query(({ ctx: { op }, input }) => consumers.history(op, input)),
});
