import type { ReactNode } from "react";
import { Banner } from "~/ui/banner";
import { isRejected, type Standing } from "~/ui/tier-badge";

/** Why a platform that has no access gets no keys; null for one that has. @param more what stands below where it was revoked */
export function noAccess(of: Standing, more?: ReactNode) {
  if (of.state === "under_review")
    return <Banner title="Keys can be issued once the application is approved" tone="neutral" />;
  if (of.state !== "revoked") return null;
  const title = isRejected(of)
    ? "The application was rejected: no keys can be issued"
    : "Access was revoked: every key is refused";
  return (
    <Banner title={title} tone="danger">
      {more}
    </Banner>
  );
}
