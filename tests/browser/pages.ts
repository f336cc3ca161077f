// Every page in each of its states, and who looks at it: what the accessibility sweep visits.
import type { Role } from "../support/roles";

export interface Visit {
  path: string;
  /** Nobody where left out. */
  as?: Role;
  /** Whose state the consumer is in; sandbox where left out. */
  state?: "under_review" | "sandbox" | "production_requested" | "production" | "revoked";
  /** Has the consumer a key that is still used and expires soon? */
  keyExpires?: boolean;
}

const states = ["under_review", "sandbox", "production_requested", "production", "revoked"] as const;

export const visits: Visit[] = [
  ...["/", "/signup", "/login", "/resend", "/forgot", "/terms", "/dev/mail", "/nowhere"].map((path) => ({ path })),
  // Links whose token is gone, and a page that is not theirs.
  ...["/verify?token=gone", "/reset?token=gone", "/confirm-email?token=gone"].map((path) => ({ path })),
  { path: "/console/nowhere", as: "owner" },
  { path: "/admin", as: "owner" },
  { path: "/merchant", as: "owner" },
  { path: "/apply", as: "newcomer" },
  ...[
    "/account",
    "/account/password",
    "/account/two-factor",
    "/account/sessions",
    "/account/sessions?dialog=everywhere",
  ].map((path) => ({
    path,
    as: "owner" as const,
  })),
  ...["/account/delete", "/account/delete?dialog=delete"].map((path) => ({ path, as: "owner" as const })),
  ...states.map((state) => ({ path: "/console", as: "owner" as const, state })),
  ...states.map((state) => ({ path: "/console/keys", as: "owner" as const, state })),
  { path: "/console/keys", as: "reviewer" },
  ...(["owner", "developer"] as const).map((as) => ({ path: "/console", as, keyExpires: true })),
  { path: "/console/keys", as: "owner", keyExpires: true },
  { path: "/console/members", as: "reviewer" },
  { path: "/console/keys?dialog=issue", as: "owner" },
  { path: "/console/application", as: "owner", state: "under_review" },
  ...["", "/coverage", "/coverage?view=ended"].map((path) => ({
    path: `/admin/consumers/demo${path}`,
    as: "operator" as const,
  })),
];
