import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { loginNotes } from "~/account/notes";
import { signUpFor } from "~/account/token";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load, ownPath } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { Banner } from "~/ui/banner";
import { useNote } from "~/ui/done-note";
import { FormProblem } from "~/ui/form-problem";
import { PasswordField } from "~/ui/password-field";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Log in · Aisle" }];

/** Where the person wanted to go, if it is a page of ours. */
const wanted = (request: Request) => ownPath(new URL(request.url).searchParams.get("to"), "/console");

export async function loader(args: LoaderFunctionArgs) {
  const to = wanted(args.request);
  const params = new URL(args.request.url).searchParams;
  // Whoever confirmed an address logs in with it, also where they are logged in with another one.
  const hasConfirmed = ["verified", "email"].includes(params.get("done") ?? "");
  if (!hasConfirmed && (await load(args, (api) => api.account.me()))) throw redirect(to);
  const invitation = /^\/invitation\?token=([\w-]{1,200})$/.exec(to)?.[1];
  const known = await load(args, async (api) => {
    if (hasConfirmed) return api.account.confirmedAddress();
    const link = invitation && (await api.invitation.peek({ token: invitation }));
    return link && link.state === "waiting" ? link.email : null;
  });
  // A code came too late, or without a password before it; a form came without a session.
  return { known, isAgain: params.has("again"), isUnsent: params.has("unsent"), invitation };
}

export async function action(args: ActionFunctionArgs) {
  const { email, password } = await typed(args.request, "email", "password");
  const outcome = await act(args, (api) =>
    api.account.logIn({ email, password }).then(
      ({ awaitsCode }) => (awaitsCode ? "awaits_code" : "logged_in"),
      (error) => {
        if (args.context.explain(error).details.reason === "unverified") return "unverified" as const;
        throw error;
      },
    ),
  );
  if (!outcome.done) return again(outcome, { email });
  if (outcome.value === "unverified") return data({ unverified: email }, { status: 403 });
  const to = wanted(args.request);
  // Another document: the Playground's has rules of its own, and what a page held of another account goes.
  return outcome.value === "awaits_code"
    ? redirect(`/login/code?${new URLSearchParams({ to })}`)
    : redirectDocument(to);
}

export default function LogIn() {
  const { isAgain, isUnsent, invitation, known } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const note = useNote(loginNotes);
  const form = useAnsweredForm(answer);
  const unverified = answer && "unverified" in answer ? answer.unverified : undefined;
  const refused = answer && "errors" in answer ? answer : undefined;
  const { errors } = refused ?? {};
  const email = unverified ?? refused?.kept.email ?? known ?? undefined;
  const [typed, setTyped] = useState<string>();
  return (
    <AuthCard
      footer={
        <>
          New here?{" "}
          {invitation ? (
            <Link to={signUpFor(invitation)}>Create an account</Link>
          ) : (
            <Link to="/signup">Create a developer account</Link>
          )}
        </>
      }
      title="Log in"
    >
      {!answer && note && (
        <Banner title={note[0]} tone="success">
          {note[1]}
        </Banner>
      )}
      {!answer && isUnsent && (
        <Banner title="Your session has ended" tone="warning">
          What you sent was not saved. Log in, then send it again from the page you return to.
        </Banner>
      )}
      {!answer && isAgain && (
        <Banner title="Log in again" tone="warning">
          The code must be entered within ten minutes of the password, and before another account logs in with this
          browser.
        </Banner>
      )}
      {unverified && <Unverified email={unverified} />}
      <Form className="flex flex-col gap-5" method="post" ref={form}>
        <FormProblem errors={errors} />
        <TextField
          autoCapitalize="none"
          autoComplete="username"
          autoFocus={answer ? Boolean(errors?.fields.email) : !known}
          defaultValue={email}
          error={errors?.fields.email}
          label="Email"
          maxLength={254}
          name="email"
          onChange={({ target }) => setTyped(target.value)}
          spellCheck={false}
          type="email"
        />
        {/* Another key at each refusal: a wrong password does not stay in the field. */}
        <PasswordField
          autoComplete="current-password"
          autoFocus={answer ? Boolean(errors && !errors.fields.email) : Boolean(known)}
          error={errors?.fields.password}
          key={errors?.requestId}
          label="Password"
          name="password"
        />
        <SubmitButton className="w-full">Log in</SubmitButton>
        <p className="text-center text-sm">
          <TextLink state={{ email: typed ?? email }} to="/forgot">
            Forgot your password?
          </TextLink>
        </p>
      </Form>
    </AuthCard>
  );
}

/** The password was right, and the address is not proven: another link with one press. */
const Unverified = ({ email }: { email: string }) => (
  <Banner title="Confirm your address first" tone="warning">
    <p>
      The link is in the email we sent to <span className="wrap-anywhere">{email}</span>.
    </p>
    <Form action="/resend" className="pt-3 pb-1" method="post">
      <input name="email" type="hidden" value={email} />
      <SubmitButton size="sm" variant="secondary">
        Send the link again
      </SubmitButton>
    </Form>
  </Banner>
);
