import * as coverage from "../services/coverage-list";
import { member, operator, router } from "./trpc";

export const coverageRouter = router({
  list: member.input(coverage.ListCoverage).query(({ ctx: { op }, input }) => coverage.list(op, input)),
  ended: member.input(coverage.ListCoverage).query(({ ctx: { op }, input }) => coverage.ended(op, input)),
  listAny: operator.input(coverage.ListAnyCoverage).query(({ ctx: { op }, input }) => coverage.listAny(op, input)),
  endedAny: operator.input(coverage.ListAnyCoverage).query(({ ctx: { op }, input }) => coverage.endedAny(op, input)),
});
