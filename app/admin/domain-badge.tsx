import type { Verdict } from "~/admin/review";
import { Badge } from "~/ui/badge";
import type { Tone } from "~/ui/tone";

const verdicts: Record<Verdict, [label: string, tone: Tone, explained: string]> = {
  match: ["Domains match", "success", "The verified address is on the website's own domain."],
  different: ["Domains differ", "warning", "The verified address and the website are on different domains."],
  free_mail: ["Free mail", "warning", "The address is with a provider that is open to everyone."],
  disposable: ["Disposable mail", "danger", "The address is with a provider of throwaway addresses."],
  shared: ["Shared domain", "warning", "Anyone can get a name of their own under this domain."],
};

/** How the domain rule judges an applicant. */
export function DomainBadge({ verdict }: { verdict: Verdict }) {
  const [label, tone] = verdicts[verdict];
  return <Badge tone={tone}>{label}</Badge>;
}

export const explained = (verdict: Verdict): string => verdicts[verdict][2];
