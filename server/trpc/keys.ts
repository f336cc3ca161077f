import * as keys from "../services/keys";
import { member, owner, router } from "./trpc";

export const keysRouter = router({
  list: member.query(({ ctx: { op } }) => keys.list(op, { consumerId: op.actor.consumerId })),
  issue: owner
    .input(keys.IssueOwnKey)
    .mutation(({ ctx: { op }, input }) => keys.issue(op, { ...input, consumerId: op.actor.consumerId })),
  rotate: owner.input(keys.RotateKey).mutation(({ ctx: { op }, input }) => keys.rotate(op, input)),
  revoke: owner.input(keys.RevokeKey).mutation(({ ctx: { op }, input }) => keys.revoke(op, input)),
});
