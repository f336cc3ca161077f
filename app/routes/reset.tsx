import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { LinkGone } from "~/account/link-gone";
import { NewPassword, PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { tokenOf } from "~/account/token";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";

/** After a refusal too: the link may have been used up meanwhile. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Choose a new password · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.account.peekReset({ token: tokenOf(args.request) }));

export async function action(args: ActionFunctionArgs) {
  const { password } = await typed(args.request, "password");
  const outcome = await act(args, (api) => api.account.reset({ token: tokenOf(args.request), password }));
  if (!outcome.done) return again(outcome, {});
  const done = noted("/account", "password");
  return redirect(outcome.value.awaitsCode ? `/login/code?${new URLSearchParams({ to: done })}` : done);
}

export default function Reset() {
  const link = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useAnsweredForm(answer);
  if (link.state !== "valid") return <LinkGone errand="reset" state={link.state} />;
  return (
    <AuthCard
      description={
        <>
          For <strong className="wrap-anywhere font-medium text-ink">{link.email}</strong>. It logs you in here and out
          everywhere else.
        </>
      }
      title="Choose a new password"
    >
      <Form className="flex flex-col gap-5" method="post" ref={form}>
        <FormProblem errors={answer?.errors} />
        <PasswordOf email={link.email} />
        <NewPassword autoFocus error={answer?.errors.fields.password} label="New password" />
        <SubmitButton className="w-full">Change password</SubmitButton>
      </Form>
    </AuthCard>
  );
}
