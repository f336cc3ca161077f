import { percentOf } from "~/lib/numbers";
import type { UsageReport } from "./usage";

/** What became of calls, as charts stack it: each call is in one. */
export const outcomes = [
  { label: "Answered", tone: "accent" },
  { label: "Errors", tone: "danger" },
  { label: "Refused", tone: "warning" },
] as const;

export type Counts = Pick<UsageReport["total"], "calls" | "errors" | "refused">;

/** How many there are of each outcome, in their order. */
export const countsOf = ({ calls, errors, refused }: Counts) => [calls - errors - refused, errors, refused];

/** Beside how many errors there were. */
export const shareOfErrors = ({ calls, errors }: Pick<Counts, "calls" | "errors">): string =>
  calls === 0 ? "No calls" : `${percentOf(errors, calls)} of calls`;
