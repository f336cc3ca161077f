import * as coverage from "../services/coverage-list";
import { member, router } from "./trpc";

export const coverageRouter = router({
  list: member.input(coverage.ListCoverage).query(({ ctx: { op }, input }) => coverage.list(op, input)),
  ended: member.input(coverage.ListCoverage).query(({ ctx: { op }, input }) => coverage.ended(op, input)),
});
