import { Badge } from "~/ui/badge";
import { type ConsumerState, isRejected, type Standing, TierBadge } from "~/ui/tier-badge";

/** Every state by its name, in the order of the way to production. */
export const states: { value: ConsumerState; label: string }[] = [
  { value: "under_review", label: "Under review" },
  { value: "sandbox", label: "Sandbox" },
  { value: "production_requested", label: "Production requested" },
  { value: "production", label: "Production" },
  { value: "revoked", label: "Revoked or rejected" },
];

/** Where a consumer stands, as operators see it: who asked for production is told from who did not. */
export const StateBadge = ({ of }: { of: Standing }) =>
  of.state === "production_requested" ? <Badge tone="accent">Production requested</Badge> : <TierBadge of={of} />;

const entered: Record<ConsumerState, string> = {
  under_review: "Applied",
  sandbox: "Entered sandbox",
  production_requested: "Asked for production access",
  production: "Went to production",
  revoked: "Access revoked",
};

/** How it came to stand there, as words before the time: a state that it came back to is not told as a new one. */
export function enteredOf(consumer: Standing & { enteredBy: string | null }): string {
  if (consumer.enteredBy === "production.decline") return "Production access declined";
  if (consumer.enteredBy === "consumer.restore")
    return consumer.state === "under_review" ? "Application restored" : "Access restored";
  return isRejected(consumer) ? "Application rejected" : entered[consumer.state];
}
