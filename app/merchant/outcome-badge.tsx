import { Badge } from "~/ui/badge";
import { type Load, outcomes } from "./catalogue";

export function OutcomeBadge({ outcome }: Pick<Load, "outcome">) {
  const [label, tone] = outcomes[outcome];
  return <Badge tone={tone}>{label}</Badge>;
}
