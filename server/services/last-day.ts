// Until when somebody works for a platform: a reviewer to the end of a day, the others without one (specification, section 5).
import { DAY_MS } from "../clock";
import type { Ctx } from "../context";
import { refuseField } from "../errors";

export const REVIEWER_DAYS = 90;

const refuse = (why: string) => refuseField("lastDay", why);

/**
 * When access in this role ends: null where it does not.
 * @param lastDay of a reviewer, as YYYY-MM-DD
 * @throws DomainError invalid_input, with the field lastDay
 */
export function endFor(
  ctx: Pick<Ctx, "now">,
  { role, lastDay }: { role: "owner" | "developer" | "reviewer"; lastDay: string | null },
): Date | null {
  if (role === "reviewer") return reviewerEnd(ctx, lastDay);
  if (lastDay !== null) throw refuse("Only a reviewer's access ends. Choose Reviewer, or leave this empty.");
  return null;
}

/** The end of the day (UTC), at most 90 days from now to the second. @throws as `endFor` */
export function reviewerEnd({ now }: Pick<Ctx, "now">, lastDay: string | null): Date {
  if (lastDay === null) throw refuse("Enter the last day of access.");
  const latest = new Date(now.getTime() + REVIEWER_DAYS * DAY_MS);
  const end = new Date(`${lastDay}T24:00:00Z`);
  if (end <= now) throw refuse("This day has passed.");
  const last = latest.toISOString().slice(0, 10);
  if (lastDay > last) throw refuse(`At most ${REVIEWER_DAYS} days at a time: until ${last}.`);
  return end < latest ? end : latest;
}
