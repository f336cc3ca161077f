import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { CurrentPassword } from "~/account/current-password";
import { expectShown } from "~/account/expect-shown.server";
import { LocalMailHint } from "~/account/local-mail-hint";
import { PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { ForThisAccount } from "~/account/this-account";
import { useFreshForm } from "~/account/use-fresh-form";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { Facts } from "~/ui/facts";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Account · Aisle" }];
export const handle = { crumb: "Profile" };

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await load(args, (api) => api.account.profile())),
  hasLocalMail: args.context.localMail !== undefined,
});

/** Three forms: `about` says which. */
export async function action(args: ActionFunctionArgs) {
  const fields = ["about", "accountId", "name", "email", "currentPassword"] as const;
  const { about, accountId, name, email, currentPassword } = await typed(args.request, ...fields);
  const outcome = await act(args, async (api) => {
    await expectShown(api, accountId);
    if (about === "withdraw") return api.account.withdrawEmail({ email });
    return about === "email" ? api.account.changeEmail({ email, currentPassword }) : api.account.changeName({ name });
  });
  if (about === "withdraw")
    return outcome.done ? redirect(noted("/account", "email-withdrawn")) : again(outcome, { about, accountId });
  const isEmail = about === "email";
  if (outcome.done) return redirect(noted("/account", isEmail ? "email-asked" : "name"));
  return again(outcome, isEmail ? { about, accountId, email } : { about: "name", accountId, name });
}

export default function ProfilePage() {
  return (
    <>
      <NamePanel />
      <EmailPanel />
      <DataPanel />
    </>
  );
}

/** What came back to one of the forms. */
function useAnswer(about: "name" | "email" | "withdraw") {
  const answer = useActionData<typeof action>();
  if (answer?.kept.about !== about) return { errors: undefined, kept: undefined };
  return { errors: answer.errors, kept: answer.kept as Partial<Record<string, string>> };
}

function NamePanel() {
  const profile = useLoaderData<typeof loader>();
  const { errors, kept } = useAnswer("name");
  const form = useAnsweredForm(errors);
  return (
    <Panel title="Your profile">
      <Form
        action="/account?index"
        className="flex max-w-md flex-col items-start gap-5 [&>div]:w-full"
        method="post"
        preventScrollReset
        ref={form}
      >
        <FormProblem errors={errors} />
        <input name="about" type="hidden" value="name" />
        <ForThisAccount posted={kept?.accountId} />
        <TextField
          autoComplete="name"
          autoFocus={Boolean(errors)}
          defaultValue={kept?.name ?? profile.name}
          error={errors?.fields.name}
          label="Your name"
          maxLength={200}
          name="name"
        />
        <SubmitButton variant="secondary">Save name</SubmitButton>
      </Form>
    </Panel>
  );
}

function EmailPanel() {
  const { email, pendingEmail, createdAt, hasLocalMail } = useLoaderData<typeof loader>();
  const { errors, kept } = useAnswer("email");
  const withdrawal = useAnswer("withdraw");
  const form = useAnsweredForm(errors);
  const [params] = useSearchParams();
  useFreshForm(form, !errors && params.get("done") === "email-asked");
  return (
    <Panel
      description="You log in with it. A new address replaces it once you follow the link we email there, within 24 hours, and confirm it."
      title="Email address"
    >
      <div className="flex flex-col gap-6">
        <FormProblem errors={withdrawal.errors} />
        <Facts
          facts={[
            ["Address", email],
            ...(pendingEmail
              ? [["New address", <Pending email={pendingEmail} key="new" />] as [string, ReactNode]]
              : []),
            ["Account since", <Time at={createdAt} key="since" />],
          ]}
        />
        {pendingEmail && hasLocalMail && <LocalMailHint />}
        <Form
          action="/account?index"
          className="flex max-w-md flex-col items-start gap-5 [&>div]:w-full"
          method="post"
          preventScrollReset
          ref={form}
        >
          <FormProblem errors={errors} />
          <input name="about" type="hidden" value="email" />
          <ForThisAccount posted={kept?.accountId} />
          <PasswordOf email={email} />
          <TextField
            autoCapitalize="none"
            autoComplete="email"
            autoFocus={Boolean(errors && !errors.fields.currentPassword)}
            defaultValue={kept?.email}
            error={errors?.fields.email}
            label="New address"
            maxLength={254}
            name="email"
            spellCheck={false}
            type="email"
          />
          <CurrentPassword errors={errors} key={errors?.requestId} />
          <SubmitButton variant="secondary">Send a link to the new address</SubmitButton>
        </Form>
      </div>
    </Panel>
  );
}

function DataPanel() {
  const { id } = useLoaderData<typeof loader>();
  return (
    <Panel description="Your account, sessions, memberships and activity here, as JSON." title="Your data">
      <ButtonLink icon={<Download aria-hidden />} reloadDocument to={`/account/data.json?accountId=${id}`}>
        Download your data
      </ButtonLink>
    </Panel>
  );
}

const Pending = ({ email }: { email: string }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <span className="wrap-anywhere">{email}</span>
    <Badge tone="warning">Not confirmed</Badge>
    <Form action="/account?index" method="post" preventScrollReset>
      <input name="about" type="hidden" value="withdraw" />
      <input name="email" type="hidden" value={email} />
      <ForThisAccount />
      <SubmitButton size="sm" variant="secondary">
        Withdraw
      </SubmitButton>
    </Form>
  </span>
);
