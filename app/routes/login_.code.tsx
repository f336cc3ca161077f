// The second step of a log-in: a code of the authenticator app, or one of the recovery codes.
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { CodeField } from "~/account/code-field";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load, ownPath } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { AuthCard } from "~/ui/auth-card";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { TextLink } from "~/ui/text-link";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Enter a code · Aisle" }];

/** Where the person wanted to go, as the log-in was told. */
const asked = (request: Request) => new URL(request.url).searchParams;
const at = (path: string, request: Request, more: Record<string, string> = {}) => {
  const to = asked(request).get("to");
  return `${path}?${new URLSearchParams({ ...(to === null ? {} : { to }), ...more })}`;
};
const beginAgain = (request: Request) => redirect(at("/login", request, { again: "" }));

export async function loader(args: LoaderFunctionArgs) {
  const { request } = args;
  const waiting = await load(args, (api) => api.account.awaitsCode());
  if (!waiting) throw beginAgain(request);
  return {
    ...waiting,
    recovers: asked(request).get("with") === "recovery",
    app: at("/login/code", request),
    recovery: at("/login/code", request, { with: "recovery" }),
    logIn: at("/login", request),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { request, context } = args;
  const { code, waitingId } = await typed(request, "code", "waitingId");
  const outcome = await act(args, (api) =>
    api.account.finishLogIn({ code, ...(waitingId && { waitingId }) }).catch((error) => {
      if (context.explain(error).details.reason === "begin_again") throw beginAgain(request);
      throw error;
    }),
  );
  return outcome.done ? redirectDocument(ownPath(asked(request).get("to"), "/console")) : again(outcome, { waitingId });
}

export default function LogInCode() {
  const { waitingId, recovers, app, recovery, logIn } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useAnsweredForm(answer);
  const { errors, kept } = answer ?? {};
  return (
    <AuthCard
      description={
        recovers
          ? "One of the codes you were shown when you turned on two-factor authentication. It works once."
          : "Your authenticator app shows it. It changes every 30 seconds."
      }
      footer={
        <>
          Not you? <Link to={logIn}>Log in again</Link>
        </>
      }
      title={recovers ? "Enter a recovery code" : "Enter the code from your app"}
    >
      {/* Another key at each refusal: a wrong code does not stay in the field. */}
      <Form className="flex flex-col gap-5" key={errors?.requestId} method="post" ref={form}>
        <FormProblem errors={errors} />
        <input name="waitingId" type="hidden" value={kept?.waitingId || waitingId} />
        {/* Another field: it has the focus, as the one before it had. */}
        <CodeField
          key={recovers ? "recovery" : "app"}
          autoFocus
          error={errors?.fields.code}
          label={recovers ? "Recovery code" : "Code"}
          recovers={recovers}
        />
        <SubmitButton className="w-full">Log in</SubmitButton>
        <p className="text-center text-sm">
          {recovers ? (
            <TextLink to={app}>Use the app's code</TextLink>
          ) : (
            <TextLink to={recovery}>No phone at hand? Use a recovery code</TextLink>
          )}
        </p>
      </Form>
    </AuthCard>
  );
}
