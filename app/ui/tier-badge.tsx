import { Badge } from "./badge";
import type { Tone } from "./tone";

/** Where a consumer stands, as the database has it. */
export type ConsumerState = "under_review" | "sandbox" | "production_requested" | "production" | "revoked";

const words: Record<ConsumerState, [label: string, tone: Tone]> = {
  under_review: ["Under review", "neutral"],
  sandbox: ["Sandbox", "warning"],
  production_requested: ["Sandbox", "warning"],
  production: ["Production", "success"],
  revoked: ["Revoked", "danger"],
};

/** The tier of a consumer: Sandbox, Production, Under review or Revoked. */
export function TierBadge({ state }: { state: ConsumerState }) {
  const [label, tone] = words[state];
  return <Badge tone={tone}>{label}</Badge>;
}
