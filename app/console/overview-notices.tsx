import { Form } from "@remix-run/react";
import { ForThisConsumer } from "~/console/current";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { SubmitButton } from "~/ui/submit-button";
import { isRejected } from "~/ui/tier-badge";
import { Time } from "~/ui/time";
import type { Overview } from "./overview";

/** What the operator decided, in words, where it came with a reason or took access away. */
export function DecisionNotice(overview: Overview) {
  const { state, decision } = overview;
  if (state === "under_review") {
    return (
      <Banner title="Your application is under review" tone="neutral">
        An operator decides and you get a mail. Then an owner issues the first key here, and the demo store answers.
        Until then you can read the interface below and prepare your client.
      </Banner>
    );
  }
  const isRevoked = state === "revoked";
  // In sandbox a reason is that of a declined request; asked again, it is the next decision that counts.
  if (!decision || !(isRevoked || (state === "sandbox" && decision.reason))) return null;
  const [title, then] = isRejected(overview)
    ? ["The application was rejected", "No keys can be issued unless an operator restores it."]
    : isRevoked
      ? ["Access was revoked", "Every key is refused until an operator restores access."]
      : ["Production access was declined", "The sandbox goes on as before, and an owner may ask again."];
  return (
    <Banner title={title} tone={isRevoked ? "danger" : "warning"}>
      {decision.reason ?? "No reason was given."}{" "}
      <span className="text-muted">
        Decided <Time at={decision.at} />. {then}
      </span>
    </Banner>
  );
}

/** New terms hold up new keys until an owner has accepted them. */
export function TermsNotice({ terms, name, isOwner }: Pick<Overview, "terms" | "name"> & { isOwner: boolean }) {
  if (terms.accepted === terms.current) return null;
  return (
    <Banner
      actions={
        <>
          <ButtonLink size="sm" to="/terms">
            Read them
          </ButtonLink>
          {isOwner && (
            <Form method="post" preventScrollReset>
              <input name="intent" type="hidden" value="accept-terms" />
              <input name="version" type="hidden" value={terms.current} />
              <ForThisConsumer />
              <SubmitButton size="sm">Accept version {terms.current}</SubmitButton>
            </Form>
          )}
        </>
      }
      title={`The data-use terms have a new version: ${terms.current}`}
      tone="warning"
    >
      Existing keys keep working. New keys and rotations wait until{" "}
      {isOwner ? "you accept it" : `an owner of ${name} accepts it here`}.
    </Banner>
  );
}
