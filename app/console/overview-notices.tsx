import { Form } from "@remix-run/react";
import { ForThisConsumer } from "~/console/current";
import { exactTime } from "~/lib/relative-time";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { Mono } from "~/ui/mono";
import { SubmitButton } from "~/ui/submit-button";
import { SupportLink } from "~/ui/support";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";
import { Time } from "~/ui/time";
import { shown } from "./keys";
import type { Overview } from "./overview";

/** What the operator decided, in words, where it came with a reason or took access away. */
export function DecisionNotice(overview: Overview) {
  const { state, decision } = overview;
  if (state === "under_review") {
    return (
      <Banner title="Your application is under review" tone="neutral">
        An operator reviews it, and you get an email. An owner can then issue the first key and call the tools. Until
        then, see how to connect below and prepare your client.
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
      : [
          "Production access was declined",
          <>
            The sandbox keeps working. An owner can edit <TextLink to="/console/application">the application</TextLink>{" "}
            and ask again.
          </>,
        ];
  return (
    <Banner title={title} tone={isRevoked ? "danger" : "warning"}>
      <p className="wrap-anywhere whitespace-pre-line">{decision.reason ?? "No reason was given."}</p>
      <p className="text-muted">
        Decided <Time at={decision.at} />. {then}
        {isRevoked && (
          <>
            {" "}
            Once the reason no longer holds,{" "}
            <SupportLink letter={{ subject: `Access again for ${overview.name}` }}>ask an operator</SupportLink> to look
            again.
          </>
        )}
      </p>
    </Banner>
  );
}

/** New terms hold up new keys until an owner has accepted them; without access there are none to hold up. */
export function TermsNotice({
  terms,
  name,
  state,
  limits,
  isOwner,
}: Pick<Overview, "terms" | "name" | "state" | "limits"> & { isOwner: boolean }) {
  const isDue = terms.accepted !== terms.current && state !== "revoked";
  if (!isDue) return null;
  const until = isOwner ? "you accept it" : `an owner of ${name} accepts it here`;
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
      {state === "under_review"
        ? `The first key waits until ${until}.`
        : limits.keys.active === 0
          ? `New keys wait until ${until}.`
          : `Existing keys keep working. New keys and rotations wait until ${until}.`}
    </Banner>
  );
}

/** How many are named here; Keys has them all. */
const MOST_NAMED = 5;

/** Whatever calls with a key stops when it expires, so everybody hears of it in time. */
export function ExpiryNotice({ expiring, isOwner }: Pick<Overview, "expiring"> & { isOwner: boolean }) {
  if (expiring.length === 0) return null;
  const isOne = expiring.length === 1;
  const more = expiring.length - MOST_NAMED;
  return (
    <Banner
      actions={
        isOwner && (
          <ButtonLink size="sm" to="/console/keys">
            Open Keys
          </ButtonLink>
        )
      }
      title={
        isOne ? "A key that is still in use expires soon" : `${expiring.length} keys that are still in use expire soon`
      }
      tone="warning"
    >
      <ul className="flex flex-col gap-1.5 pt-1 pb-1.5">
        {expiring.slice(0, MOST_NAMED).map((key) => (
          <li className="flex flex-wrap gap-x-2" key={shown(key)}>
            <span className="wrap-anywhere font-medium">{key.name}</span> <Mono>{shown(key)}</Mono>{" "}
            <span>
              <Time at={key.expiresAt} />, on {exactTime(new Date(key.expiresAt))}
            </span>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
      From then on calls with {isOne ? "it" : "them"} are refused. Rotating keeps the expiry:{" "}
      {isOwner ? (
        `issue another key, switch your agent to it first, then revoke ${isOne ? "this one" : "these"}.`
      ) : (
        <>
          ask <TextLink to="/console/members">an owner</TextLink> for another key, and switch your agent to it first.
        </>
      )}
    </Banner>
  );
}
