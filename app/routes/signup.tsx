import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { LookIntoMail } from "~/account/look-into-mail";
import { NewPassword } from "~/account/new-password";
import { invitationAt, tokenOf } from "~/account/token";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { publicMeta } from "~/lib/public-meta";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: "Create an account · Aisle",
    description: "An account is where a platform applies for access, gets its keys and tries the tools.",
  });

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const token = tokenOf(args.request, "invitation");
    const [account, link] = await Promise.all([api.account.me(), token ? api.invitation.peek({ token }) : null]);
    // Of an invitation that is over, its own page tells.
    if (link && (account || link.state !== "waiting")) throw redirect(invitationAt(token));
    if (account) throw redirect("/console");
    const invited =
      link?.state === "waiting" ? { to: invitationAt(token), merchant: link.merchant, email: link.email } : null;
    return { hasLocalMail: args.context.localMail !== undefined, invited };
  });

export async function action(args: ActionFunctionArgs) {
  const { password, ...person } = await typed(args.request, "name", "email", "password");
  const outcome = await act(args, (api) => api.account.signUp({ ...person, password }));
  return outcome.done ? { sentTo: person.email } : again(outcome, person);
}

export default function SignUp() {
  const { hasLocalMail, invited } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useAnsweredForm(answer);
  if (answer && "sentTo" in answer) {
    return (
      <LookIntoMail
        answer={answer}
        footer={
          !invited && (
            <>
              Mistyped the address? <Link to="/signup">Start again</Link>
            </>
          )
        }
        hasLocalMail={hasLocalMail}
        resend="/resend"
      >
        We have sent an email to <strong className="wrap-anywhere font-medium text-ink">{answer.sentTo}</strong> with
        the next step. The link in it works for 24 hours, and is best opened in this browser.
      </LookIntoMail>
    );
  }
  const errors = answer?.errors;
  return (
    <AuthCard
      description={
        invited
          ? `To act for ${invited.merchant}: confirm your address, log in and accept the invitation.`
          : "For anyone building an agent or an assistant app. Next, you apply for access with one form."
      }
      footer={
        <>
          Have an account?{" "}
          <Link to={invited ? `/login?${new URLSearchParams({ to: invited.to })}` : "/login"}>Log in</Link>
        </>
      }
      title={invited ? "Create your account" : "Create a developer account"}
    >
      <Form className="flex flex-col gap-5" method="post" ref={form}>
        <FormProblem errors={errors} />
        <TextField
          autoComplete="name"
          autoFocus={!errors || Boolean(errors.fields.name)}
          defaultValue={answer?.kept.name}
          error={errors?.fields.name}
          label="Your name"
          maxLength={200}
          name="name"
        />
        <TextField
          autoCapitalize="none"
          autoComplete="username"
          autoFocus={Boolean(errors?.fields.email)}
          defaultValue={invited?.email ?? answer?.kept.email}
          error={errors?.fields.email}
          hint={
            invited
              ? "The invitation is only for this address."
              : "If it shares a domain with your website, you usually get sandbox access right away."
          }
          label="Work email"
          maxLength={254}
          name="email"
          readOnly={invited !== null}
          spellCheck={false}
          type="email"
        />
        <NewPassword autoFocus={Boolean(errors?.fields.password)} error={errors?.fields.password} />
        <SubmitButton className="w-full">Create account</SubmitButton>
        <p className="text-center text-faint text-xs leading-5">
          {/* In a new tab, so that what was typed stays. */}
          <TextLink rel="noopener" target="_blank" to="/docs#data">
            What we keep about you, and for how long<span className="sr-only"> (opens in a new tab)</span>
          </TextLink>
        </p>
      </Form>
    </AuthCard>
  );
}
