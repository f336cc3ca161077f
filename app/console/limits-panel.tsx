import type { ReactNode } from "react";
import { Facts } from "~/ui/facts";
import { LimitMeters } from "~/ui/limit-meters";
import { Panel } from "~/ui/panel";
import { ScopeTag } from "~/ui/scope-tag";
import { isRejected } from "~/ui/tier-badge";
import type { Overview } from "./overview";

const reach = {
  default_on: "Every store whose merchant allows AI Discovery and has not blocked you",
  explicit: "The stores whose merchants have granted you access",
};

/** What the consumer may do, and how much of it is used right now. */
export function LimitsPanel({ overview, isOwner }: { overview: Overview; isOwner: boolean }) {
  const { limits, scopes, directorySlug } = overview;
  return (
    <Panel title="Limits">
      <div className="flex flex-col gap-5">
        <LimitMeters hasDirectory={directorySlug !== null} keys={keysOf(overview, isOwner)} limits={limits} />
        <div className="flex flex-col gap-5 border-line border-t pt-5">
          <div className="flex flex-col gap-2 text-sm">
            <span className="text-muted" id="scopes">
              Scopes
            </span>
            <ul aria-labelledby="scopes" className="flex flex-wrap gap-1.5">
              {scopes.length === 0 && <li>None: no tool can be called</li>}
              {scopes.map((scope) => (
                <li key={scope}>
                  <ScopeTag>{scope}</ScopeTag>
                </li>
              ))}
            </ul>
          </div>
          <Facts facts={facts(overview)} />
        </div>
      </div>
    </Panel>
  );
}

/** None are issued before the approval, nor any more once access was revoked. */
function keysOf(overview: Overview, isOwner: boolean) {
  if (overview.state === "under_review" || isRejected(overview)) return undefined;
  return { to: "/console/keys", label: isOwner && overview.state !== "revoked" ? "Manage keys" : "See keys" };
}

function facts({ state, tier, coverage, utmSource, terms, hasDemoStore }: Overview): [string, ReactNode][] {
  const isShut = state === "under_review" || state === "revoked";
  const all: [string, ReactNode | null][] = [
    [
      "Stores",
      isShut ? "None" : tier === "production" ? reach[coverage] : hasDemoStore ? "The demo store" : "None yet",
    ],
    // As server/services/product-link.ts writes it.
    ["utm_source in links", isShut ? null : (tier === "production" && utmSource) || "aisle_sandbox"],
    ["Terms accepted", terms.accepted ?? "Not yet"],
  ];
  return all.filter(([, value]) => value !== null);
}
