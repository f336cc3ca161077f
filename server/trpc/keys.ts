import { z } from "zod";
import { scopes } from "../context";
import * as keys from "../services/keys";
import { member, owner, router } from "./trpc";

const IssueKey = keys.IssueKey.omit({ consumerId: true }).extend({
  scopes: z.array(z.enum(scopes)).min(1, "Choose at least one scope."),
  /** A day, at whose end (UTC) it expires. */
  expiresAt: z.iso
    .date("Enter a date, such as 2026-09-26.")
    .transform((day) => new Date(`${day}T24:00:00Z`))
    .nullable(),
});

export const keysRouter = router({
  list: member.query(({ ctx: { op } }) => keys.list(op, { consumerId: op.actor.consumerId })),
  issue: owner
    .input(IssueKey)
    .mutation(({ ctx: { op }, input }) => keys.issue(op, { ...input, consumerId: op.actor.consumerId })),
  rotate: owner.input(keys.RotateKey).mutation(({ ctx: { op }, input }) => keys.rotate(op, input)),
  revoke: owner.input(keys.RevokeKey).mutation(({ ctx: { op }, input }) => keys.revoke(op, input)),
});
