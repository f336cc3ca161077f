import { Badge } from "~/ui/badge";
import type { Tone } from "~/ui/tone";

/** How a platform stands to a store, as the service has it. */
export type Standing = "reading" | "blocked" | "not_granted" | "discovery_off" | "ended";

/** In the order of their tabs. */
export const standings: readonly Standing[] = ["reading", "discovery_off", "blocked", "not_granted", "ended"];

export const standingWords: Record<Standing, [label: string, tone: Tone, meaning: string]> = {
  reading: ["Can read", "success", "It can read the store now."],
  blocked: ["Blocked", "danger", "You blocked it: it is told that the store is not available."],
  not_granted: ["Not granted", "neutral", "It reads only stores whose merchants have granted it access. You have not."],
  discovery_off: ["AI Discovery off", "warning", "It could read the store if AI Discovery were on."],
  ended: ["Access ended", "neutral", "It used to be live and no longer has production access."],
};

export function StandingBadge({ of }: { of: Standing }) {
  const [label, tone] = standingWords[of];
  return <Badge tone={tone}>{label}</Badge>;
}
