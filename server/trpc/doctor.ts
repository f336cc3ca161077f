import { refusals } from "../refusals";
import * as doctor from "../services/doctor";
import { member, router } from "./trpc";

export const doctorRouter = router({
  /** The member's latest check, with the rules that its verdicts are about. */
  read: member.query(async ({ ctx: { op } }) => ({ check: await doctor.read(op), rules: [...refusals] })),
  open: member.mutation(({ ctx: { op } }) => doctor.open(op)),
});
