// What an invitation to act for a merchant looks like: to accept, for somebody else, gone, or waiting without a link.
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import type { action, Link, loader } from "~/routes/invitation";
import { AuthCard } from "~/ui/auth-card";
import { ButtonLink } from "~/ui/button";
import { FormProblem } from "~/ui/form-problem";
import { ownPages } from "~/ui/nav";
import { SubmitButton } from "~/ui/submit-button";
import { Time } from "~/ui/time";
import { invitationAt, signUpFor } from "./token";

const Address = ({ children }: { children: string }) => (
  <strong className="wrap-anywhere font-medium text-ink">{children}</strong>
);

interface Invited {
  merchant: string;
  id: string;
  email: string;
  expiresAt: Date;
  token: string;
}

function Card({ merchant, children, about }: { merchant: string; about: ReactNode; children: ReactNode }) {
  return (
    <AuthCard description={about} title={`Act for ${merchant}`}>
      {children}
    </AuthCard>
  );
}

const what = (merchant: string) =>
  `Whoever acts for ${merchant} decides which AI agents may read its stores, and loads their catalogues.`;

export function Accept({ merchant, id, expiresAt }: Invited) {
  const errors = useActionData<typeof action>()?.errors;
  return (
    <Card
      about={
        <>
          {what(merchant)} The invitation expires <Time at={expiresAt} />.
        </>
      }
      merchant={merchant}
    >
      <Form className="flex flex-col gap-4" method="post">
        <FormProblem errors={errors} />
        <input name="id" type="hidden" value={id} />
        <SubmitButton className="w-full">Accept</SubmitButton>
      </Form>
    </Card>
  );
}

export const Stranger = ({ merchant, email, token }: Invited) => (
  <Card
    about={
      <>
        {what(merchant)} Log in as <Address>{email}</Address>, or create an account with this address; then you can
        accept.
      </>
    }
    merchant={merchant}
  >
    <div className="flex flex-col gap-3">
      <ButtonLink
        className="w-full"
        to={`/login?${new URLSearchParams({ to: invitationAt(token) })}`}
        variant="primary"
      >
        Log in
      </ButtonLink>
      <ButtonLink className="w-full" to={signUpFor(token)}>
        Create an account
      </ButtonLink>
    </div>
  </Card>
);

export const Other = ({ merchant, email, token, now }: Invited & { now: string }) => (
  <Card
    about={
      <>
        This invitation is for <Address>{email}</Address>, and you are logged in as <Address>{now}</Address>. Log out to
        continue, then log in with the invited address or create an account with it.
      </>
    }
    merchant={merchant}
  >
    <div className="flex flex-col gap-3">
      <Form action="/logout" className="flex flex-col" method="post">
        <input name="invitation" type="hidden" value={token} />
        <SubmitButton className="w-full">Log out and continue</SubmitButton>
      </Form>
      <ButtonLink className="w-full" to="/console">
        Stay logged in
      </ButtonLink>
    </div>
  </Card>
);

const reasons: Record<Exclude<Link["state"], "waiting" | "accepted">, [title: string, words: string]> = {
  withdrawn: [
    "This invitation was withdrawn",
    "A newer one may have replaced it: check your email, or ask the person who invited you.",
  ],
  expired: [
    "This invitation has expired",
    "Invitations work for 7 days. Ask the person who invited you for a new one.",
  ],
  unknown: [
    "We do not recognise this invitation",
    "The link may have been cut off when it was copied from the email, or the invitation ended long ago.",
  ],
};

export function Gone({ link }: { link: Exclude<Link, { state: "waiting" }> }) {
  const { email, actsFor } = useLoaderData<typeof loader>();
  const [title, words] =
    link.state === "accepted"
      ? ["This invitation has already been accepted", `An invitation to act for ${link.merchant} works once.`]
      : reasons[link.state];
  const [label, to] =
    email === null
      ? ["Log in", link.state === "accepted" ? "/login?to=/merchant" : "/login"]
      : link.state === "accepted" && actsFor
        ? ["Open the stores", "/merchant"]
        : [`Go to ${ownPages.label}`, ownPages.to];
  return (
    <AuthCard description={words} title={title}>
      <ButtonLink className="w-full" to={to} variant="primary">
        {label}
      </ButtonLink>
    </AuthCard>
  );
}

export function Waiting() {
  const { email, waiting, isNew } = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.errors;
  if (waiting.length === 0) {
    return (
      <AuthCard
        description={`No one has invited ${email}, or the invitation has ended.`}
        title="You have no invitations"
      >
        <ButtonLink className="w-full" to={ownPages.to} variant="primary">
          Go to {ownPages.label}
        </ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      description="You would decide which AI agents may read the merchant's stores, and load their catalogues."
      title="You are invited"
    >
      <FormProblem errors={errors} />
      <ul className="flex flex-col divide-y divide-line">
        {waiting.map(({ id, merchant, expiresAt }) => (
          <li className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0" key={id}>
            <div className="flex min-w-0 flex-col">
              <span className="wrap-anywhere font-medium text-sm">{merchant}</span>
              <span className="text-[0.8125rem] text-muted">
                Expires <Time at={expiresAt} />
              </span>
            </div>
            <Form method="post">
              <input name="id" type="hidden" value={id} />
              <SubmitButton aria-label={`Accept: act for ${merchant}`}>Accept</SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      {isNew && (
        <ButtonLink to="/apply" variant="ghost">
          I build an agent: apply for access instead
        </ButtonLink>
      )}
    </AuthCard>
  );
}
