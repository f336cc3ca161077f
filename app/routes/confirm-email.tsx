import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CurrentPassword } from "~/account/current-password";
import { LinkGone } from "~/account/link-gone";
import { PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { tokenOf } from "~/account/token";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, formOf } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";

/** After a refusal too: the link may have been used up meanwhile. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Confirm your new address · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.account.peekEmail({ token: tokenOf(args.request) }));

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  // Only a browser without the account's session is asked for it.
  const given = form.has("currentPassword") ? { currentPassword: String(form.get("currentPassword")) } : {};
  const outcome = await act(args, (api) => api.account.confirmEmail({ token: tokenOf(args.request), ...given }));
  if (!outcome.done) return again(outcome, {});
  // The link may be opened where nobody is logged in, or somebody else: its account is not theirs.
  return redirect(noted(outcome.value.isOwn ? "/account" : "/login", "email"));
}

export default function ConfirmEmail() {
  const link = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.errors;
  const form = useAnsweredForm(errors);
  if (link.state !== "valid") return <LinkGone errand="confirmEmail" state={link.state} />;
  const { email, needsPassword } = link;
  const address = <strong className="wrap-anywhere font-medium text-ink">{email}</strong>;
  return (
    <AuthCard
      description={
        needsPassword ? (
          <>
            {address} is to become the address of an Aisle account. You are not logged in to that account here, so enter
            its current password. If you did not request this, close the page.
          </>
        ) : (
          <>Once you confirm it, you log in with {address} and get our emails there.</>
        )
      }
      title="Confirm your new address"
    >
      <Form className="flex flex-col gap-5" method="post" ref={form}>
        <FormProblem errors={errors} />
        {needsPassword && (
          <>
            <PasswordOf email={email} />
            <CurrentPassword errors={errors} key={errors?.requestId} />
          </>
        )}
        <SubmitButton className="w-full">Confirm the change of address</SubmitButton>
      </Form>
    </AuthCard>
  );
}
