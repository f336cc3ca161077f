import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";
import type { CoverageData } from "./coverage-tables";
import { useCurrent } from "./current";

type Standing = Pick<CoverageData, "state" | "mode">;

/** What decides which stores the platform reads, in a sentence. */
export function reachOf({ state, mode }: Standing, name: string): string {
  if (state !== "production") return "The stores that your tools can read.";
  return mode === "default_on"
    ? `Default-on coverage: ${name} reads every store whose merchant has AI Discovery on and has not blocked it, and the demo store. Merchants' changes apply from the next call.`
    : `Explicit coverage: ${name} reads the stores whose merchants have AI Discovery on and have granted it access, and the demo store. Merchants' changes apply from the next call.`;
}

/** Why there is one store, or none, before production. */
export function CoverageNotice({ state }: Standing) {
  const current = useCurrent();
  if (state === "production") return null;
  if (state === "under_review") {
    return (
      <Banner title="No store can be read yet" tone="neutral">
        The application is under review. Once it is approved, your tools can read the demo store.
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
      title="In sandbox there is one store: the demo store"
      tone="accent"
    >
      It has a full catalogue with offers, promotions, loyalty and policies, and no real shoppers: test your integration
      on it. In production your tools also read merchants' stores, and the demo store stays.
    </Banner>
  );
}
