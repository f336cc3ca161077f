import * as review from "../services/review";
import { operator, router } from "./trpc";

export const reviewRouter = router({
  countWaiting: operator.query(({ ctx: { op } }) => review.countWaiting(op)),
});
