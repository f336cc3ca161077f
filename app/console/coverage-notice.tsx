import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";
import type { CoverageData } from "./coverage-tables";
import { useCurrent } from "./current";

type Standing = Pick<CoverageData, "state" | "mode" | "hasDemoStore">;

/** What decides which stores the platform reads, in a sentence. */
export function reachOf({ state, mode, hasDemoStore }: Standing, name: string): string {
  if (state !== "production") return "The stores that your tools can read.";
  const besides = hasDemoStore ? ", and the demo store" : "";
  return mode === "default_on"
    ? `Default-on coverage: ${name} reads every store whose merchant has AI Discovery on and has not blocked it${besides}. Merchants' changes apply from the next call.`
    : `Explicit coverage: ${name} reads the stores whose merchants have AI Discovery on and have granted it access${besides}. Merchants' changes apply from the next call.`;
}

/** Why there is one store, or none, before production. */
export function CoverageNotice({ state, hasDemoStore }: Standing) {
  const current = useCurrent();
  if (state === "production") return null;
  if (state === "under_review") {
    return (
      <Banner title="No store can be read yet" tone="neutral">
        The application is under review. {hasDemoStore && "Once it is approved, your tools can read the demo store."}
      </Banner>
    );
  }
  if (state === "revoked") {
    return (
      <Banner
        title={`${isRejected(current) ? "The application was rejected" : "Access was revoked"}: no store can be read`}
        tone="danger"
      >
        <TextLink to="/console">Overview</TextLink> shows the decision.
      </Banner>
    );
  }
  return (
    <Banner
      actions={
        <ButtonLink size="sm" to="/console">
          {state === "sandbox" ? "The path to production" : "See the request"}
        </ButtonLink>
      }
      title={hasDemoStore ? "In sandbox there is one store: the demo store" : "In sandbox there is no store yet"}
      tone="accent"
    >
      {hasDemoStore
        ? "It has a full catalogue with offers, promotions, loyalty and policies, and no real shoppers: test your integration on it. In production your tools also read merchants' stores, and the demo store stays."
        : "An operator loads the demo store, to test your integration on. In production your tools read merchants' stores."}
    </Banner>
  );
}
