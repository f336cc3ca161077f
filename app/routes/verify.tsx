import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { LinkGone } from "~/account/link-gone";
import { NewPassword, PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { tokenOf } from "~/account/token";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, formOf } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";

/** After a refusal too: the link may have been used up meanwhile. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Confirm your address · Aisle" }];

/** Only looks: scanners of mail open links too, and use none up. */
export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.account.peekVerification({ token: tokenOf(args.request) }));

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  // Only another browser is asked for them.
  const chosen = Object.fromEntries(
    ["name", "password"].filter((name) => form.has(name)).map((name) => [name, String(form.get(name))]),
  );
  const outcome = await act(args, (api) => api.account.verify({ token: tokenOf(args.request), ...chosen }));
  return outcome.done ? redirect(noted("/login", "verified")) : again(outcome, { name: chosen.name ?? "" });
}

export default function Verify() {
  const link = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useAnsweredForm(answer);
  if (link.state !== "valid") return <LinkGone errand="verify" state={link.state} />;
  const { email, name, needsPassword } = link;
  return (
    <AuthCard
      description={
        <>
          <strong className="wrap-anywhere font-medium text-ink">{email}</strong> will be the address of your Aisle
          account.
          {needsPassword && " You signed up in a different browser, so choose your password here."}
        </>
      }
      title="Confirm your address"
    >
      <Form className="flex flex-col gap-5" method="post" ref={form}>
        <FormProblem errors={answer?.errors} />
        {needsPassword && (
          <>
            <PasswordOf email={email} />
            <TextField
              autoComplete="name"
              defaultValue={answer?.kept.name ?? name}
              error={answer?.errors.fields.name}
              label="Your name"
              maxLength={200}
              name="name"
            />
            <NewPassword
              autoFocus
              error={answer?.errors.fields.password}
              hint="At least 10 characters: the one from signing up, or a new one."
            />
          </>
        )}
        <SubmitButton className="w-full">Confirm this address</SubmitButton>
      </Form>
    </AuthCard>
  );
}
