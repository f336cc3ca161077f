import * as consumers from "../services/consumers";
import * as health from "../services/health";
import * as review from "../services/review";
import { operator, router } from "./trpc";

export const reviewRouter = router({
  lacks: operator.query(({ ctx: { op } }) => health.lacks(op)),
  countWaiting: operator.query(({ ctx: { op } }) => review.countWaiting(op)),
  queue: operator.input(review.ReviewQueue).query(({ ctx: { op }, input }) => review.queue(op, input)),
  /** A consumer with everything that a decision about it rests on. */
  get: operator.input(consumers.GetConsumer).query(async ({ ctx: { op }, input }) => {
    const consumer = await consumers.get(op, input);
    const by = { consumerId: consumer.id };
    const [evidence, usage, { acts }] = await Promise.all([
      review.evidence(op, by),
      consumers.usage(op, by),
      consumers.history(op, by),
    ]);
    return { consumer, ...evidence, usage, acts };
  }),
  approveSandbox: operator
    .input(review.ApproveSandbox)
    .mutation(({ ctx: { op }, input }) => review.approveSandbox(op, input)),
  approveProduction: operator
    .input(review.ApproveProduction)
    .mutation(({ ctx: { op }, input }) => review.approveProduction(op, input)),
  decline: operator.input(review.DecisionWithReason).mutation(({ ctx: { op }, input }) => review.decline(op, input)),
  reject: operator.input(review.DecisionWithReason).mutation(({ ctx: { op }, input }) => review.reject(op, input)),
  restore: operator.input(review.Decision).mutation(({ ctx: { op }, input }) => review.restore(op, input)),
});
