import { Badge } from "~/ui/badge";

/** How a call went: its HTTP status, and the refusal's code where there is one. */
export const StatusBadge = ({ status, code }: { status: number; code: string | null }) => (
  <Badge tone={status >= 500 ? "danger" : code === null ? "success" : "warning"}>
    {code === null ? status : `${status} ${code}`}
  </Badge>
);
