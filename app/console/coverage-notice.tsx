import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";
import type { CoverageData } from "./coverage-tables";
import { useCurrent } from "./current";

type Standing = Pick<CoverageData, "state" | "mode">;

/** What decides which stores the platform reads, in a sentence. */
export function reachOf({ state, mode }: Standing, name: string): string {
  if (state !== "production") return "The stores that your tools answer on.";
  return mode === "default_on"
    ? `Default-on coverage: ${name} reads every store whose merchant has AI Discovery on and has not blocked it, and the demo store. What a merchant changes holds from the next call on.`
    : `Explicit coverage: ${name} reads the stores whose merchants have AI Discovery on and have granted it access, and the demo store. What a merchant changes holds from the next call on.`;
}

/** Why there is one store, or none, before production. */
export function CoverageNotice({ state }: Standing) {
  const current = useCurrent();
  if (state === "production") return null;
  if (state === "under_review") {
    return (
      <Banner title="No store can be read yet" tone="neutral">
        The application is under review. Once it is approved, your tools answer on the demo store.
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
          {state === "sandbox" ? "The way to production" : "See the request"}
        </ButtonLink>
      }
      title="In sandbox there is one store: the demo store"
      tone="accent"
    >
      It has a whole catalogue, offers, promotions, loyalty and policies, and no shopper buys there: try your
      integration on it. In production your tools answer on merchants' stores too, and the demo store stays.
    </Banner>
  );
}
