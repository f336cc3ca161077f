import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CurrentPassword } from "~/account/current-password";
import { expectShown } from "~/account/expect-shown.server";
import { NewPassword, PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { ForThisAccount } from "~/account/this-account";
import { useFreshForm } from "~/account/use-fresh-form";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { TextLink } from "~/ui/text-link";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Password · Aisle" }];
export const handle = { crumb: "Password" };

export const loader = (args: LoaderFunctionArgs) => load(args, (api) => api.account.profile());

export async function action(args: ActionFunctionArgs) {
  const { accountId, ...input } = await typed(args.request, "accountId", "currentPassword", "newPassword");
  const outcome = await act(args, async (api) => {
    await expectShown(api, accountId);
    await api.account.changePassword(input);
  });
  return outcome.done ? redirect(noted("/account/password", "password")) : again(outcome, { accountId });
}

export default function PasswordPage() {
  const { email } = useLoaderData<typeof loader>();
  const { errors, kept } = useActionData<typeof action>() ?? {};
  const form = useAnsweredForm(errors);
  useFreshForm(form, !errors);
  return (
    <Panel
      description="A new password ends all other sessions, and we email you a confirmation."
      footer={
        <span>
          Forgotten the current one? <TextLink to="/forgot">Reset it by email</TextLink>
        </span>
      }
      title="Change password"
    >
      <Form
        action="/account/password"
        className="flex max-w-md flex-col items-start gap-5 [&>div]:w-full"
        method="post"
        preventScrollReset
        ref={form}
      >
        <FormProblem errors={errors} />
        <ForThisAccount posted={kept?.accountId} />
        <PasswordOf email={email} />
        <CurrentPassword errors={errors} />
        <NewPassword
          autoFocus={Boolean(errors && !errors.fields.currentPassword)}
          error={errors?.fields.newPassword}
          label="New password"
          name="newPassword"
        />
        <SubmitButton>Change password</SubmitButton>
      </Form>
    </Panel>
  );
}
