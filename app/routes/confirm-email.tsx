import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { LinkGone } from "~/account/link-gone";
import { noted } from "~/account/notes";
import { tokenOf } from "~/account/token";
import { act, load } from "~/lib/api.server";
import { again } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";

/** After a refusal too: the link may have been used up meanwhile. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Confirm your new address · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.account.peekEmail({ token: tokenOf(args.request) }));

export async function action(args: ActionFunctionArgs) {
  const outcome = await act(args, (api) => api.account.confirmEmail({ token: tokenOf(args.request) }));
  if (!outcome.done) return again(outcome, {});
  // The link may be opened where nobody is logged in, or somebody else: its account is not theirs.
  return redirect(noted(outcome.value.isOwn ? "/account" : "/login", "email"));
}

export default function ConfirmEmail() {
  const link = useLoaderData<typeof loader>();
  const errors = useActionData<typeof action>()?.errors;
  if (link.state !== "valid") return <LinkGone errand="confirmEmail" state={link.state} />;
  return (
    <AuthCard
      description={
        <>
          Once you confirm it, you log in with{" "}
          <strong className="wrap-anywhere font-medium text-ink">{link.email}</strong> and get our emails there.
        </>
      }
      title="Confirm your new address"
    >
      <Form className="flex flex-col gap-5" method="post">
        <FormProblem errors={errors} />
        <SubmitButton className="w-full">Confirm this address</SubmitButton>
      </Form>
    </AuthCard>
  );
}
