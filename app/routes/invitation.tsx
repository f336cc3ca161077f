// An invitation to act for a merchant. The link only shows it; the account with its address accepts with a button.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { invitationAt, signUpFor, tokenOf } from "~/account/token";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { ButtonLink } from "~/ui/button";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { Time } from "~/ui/time";

/** After a refusal too: the invitation may have been used meanwhile. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Invitation · Aisle" }];

/** By the link; without one, those that wait for whoever is logged in. */
export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const token = tokenOf(args.request);
    const account = await api.account.me();
    const email = account?.email ?? null;
    if (token === "") return { email, token, link: null, waiting: await api.invitation.mine(), actsFor: false };
    const [link, parts] = await Promise.all([api.invitation.peek({ token }), account && api.account.parts()]);
    return { email, token, link, waiting: [], actsFor: parts?.merchant ?? false };
  });

export async function action(args: ActionFunctionArgs) {
  const { id } = await typed(args.request, "id");
  const outcome = await act(args, (api) => api.invitation.accept({ id }));
  if (!outcome.done) return again(outcome, {});
  await load(args, (api) => api.merchant.choose({ merchantId: outcome.value.merchantId }));
  return redirect("/merchant?done=joined");
}

type Link = NonNullable<Awaited<ReturnType<typeof loader>>["link"]>;

export default function Invitation() {
  const { email, token, link } = useLoaderData<typeof loader>();
  if (link === null) return <Waiting />;
  if (link.state !== "waiting") return <Gone link={link} />;
  const invited = { ...link, token };
  if (email === null) return <Stranger {...invited} />;
  return email === link.email ? <Accept {...invited} /> : <Other {...invited} now={email} />;
}

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
  `Together with others at ${merchant}, you would decide which AI agents may read its stores, and load their catalogues.`;

function Accept({ merchant, id, expiresAt }: Invited) {
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

const Stranger = ({ merchant, email, token }: Invited) => (
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

const Other = ({ merchant, email, token, now }: Invited & { now: string }) => (
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

function Gone({ link }: { link: Exclude<Link, { state: "waiting" }> }) {
  const { email, actsFor } = useLoaderData<typeof loader>();
  const [title, words] =
    link.state === "accepted"
      ? ["This invitation has already been accepted", `The person who accepted it now acts for ${link.merchant}.`]
      : reasons[link.state];
  const [label, to] =
    email === null
      ? ["Log in", link.state === "accepted" ? "/login?to=/merchant" : "/login"]
      : link.state === "accepted" && actsFor
        ? ["Open the stores", "/merchant"]
        : ownPages;
  return (
    <AuthCard description={words} title={title}>
      <ButtonLink className="w-full" to={to} variant="primary">
        {label}
      </ButtonLink>
    </AuthCard>
  );
}

/** Wherever the person begins (`homeOf`). */
const ownPages = ["Go to your pages", "/console"] as const;

function Waiting() {
  const { email, waiting } = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.errors;
  if (waiting.length === 0) {
    return (
      <AuthCard
        description={`No one has invited ${email}, or the invitation has ended.`}
        title="You have no invitations"
      >
        <ButtonLink className="w-full" to={ownPages[1]} variant="primary">
          {ownPages[0]}
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
      <ButtonLink to="/apply" variant="ghost">
        I build an agent: apply for access instead
      </ButtonLink>
    </AuthCard>
  );
}
