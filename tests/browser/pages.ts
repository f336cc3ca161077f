// Pages in states, and for roles, that no link of every-page.test.ts leads to: what the accessibility sweep visits.
import type { Role } from "../support/roles";

export interface Visit {
  path: string;
  as: Role;
  /** Whose state the consumer is in; sandbox where left out. */
  state?: "under_review" | "sandbox" | "production_requested" | "production" | "revoked";
  /** Has the consumer a key that is still used and expires soon? */
  keyExpires?: boolean;
  /** What the page is answered with; 200 where left out. */
  status?: number;
}

const states = ["under_review", "sandbox", "production_requested", "production", "revoked"] as const;

export const visits: Visit[] = [
  { path: "/console/nowhere", as: "owner", status: 404 },
  { path: "/admin", as: "owner", status: 403 },
  { path: "/merchant", as: "owner", status: 403 },
  { path: "/account/sessions?dialog=everywhere", as: "owner" },
  { path: "/account/delete?dialog=delete", as: "owner" },
  ...states.map((state) => ({ path: "/console", as: "owner" as const, state })),
  ...states.map((state) => ({ path: "/console/keys", as: "owner" as const, state })),
  { path: "/console/keys", as: "reviewer" },
  ...(["owner", "developer"] as const).map((as) => ({ path: "/console", as, keyExpires: true })),
  { path: "/console/keys", as: "owner", keyExpires: true },
  { path: "/console/members", as: "reviewer" },
  { path: "/console/application", as: "owner", state: "under_review" },
  { path: "/admin/consumers/demo/coverage?view=ended", as: "operator" },
];
