import { Badge } from "./badge";
import type { Tone } from "./tone";

/** Where a consumer stands, as the database has it. */
export type ConsumerState = "under_review" | "sandbox" | "production_requested" | "production" | "revoked";

export interface Standing {
  state: ConsumerState;
  /** What it was before it was revoked. */
  revokedFrom: Exclude<ConsumerState, "revoked"> | null;
}

/** Revoked while under review, it never had access: what was rejected is its application. */
export const isRejected = ({ revokedFrom }: Standing) => revokedFrom === "under_review";

const words: Record<ConsumerState, [label: string, tone: Tone]> = {
  under_review: ["Under review", "neutral"],
  sandbox: ["Sandbox", "warning"],
  production_requested: ["Sandbox", "warning"],
  production: ["Production", "success"],
  revoked: ["Revoked", "danger"],
};

/** The tier of a consumer: Sandbox, Production, Under review, Rejected or Revoked. */
export function TierBadge({ of }: { of: Standing }) {
  const [label, tone] = words[of.state];
  return <Badge tone={tone}>{isRejected(of) ? "Rejected" : label}</Badge>;
}
