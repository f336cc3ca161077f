import { Badge } from "~/ui/badge";
import { type ConsumerState, type Standing, TierBadge } from "~/ui/tier-badge";

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
