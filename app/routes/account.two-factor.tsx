// Two-factor authentication: set up with an authenticator app, looked at, renewed, turned off. Recovery codes are in one
// action's answer, once.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import { CodeField } from "~/account/code-field";
import { PasswordOf } from "~/account/new-password";
import { noted } from "~/account/notes";
import { qrOf } from "~/account/qr.server";
import { RecoveryCodes } from "~/account/recovery-codes";
import { act, type FormErrors, load } from "~/lib/api.server";
import { useFocusInvalid } from "~/lib/focus-invalid";
import { again, typed } from "~/lib/form.server";
import { Badge } from "~/ui/badge";
import { Banner } from "~/ui/banner";
import { CopyField } from "~/ui/copy-field";
import { Facts } from "~/ui/facts";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { PasswordField } from "~/ui/password-field";
import { SubmitButton } from "~/ui/submit-button";
import { Time } from "~/ui/time";

// A first code that came too late leads back to where it is begun.
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Two-factor authentication · Aisle" }];
export const handle = { crumb: "Two-factor authentication" };

const HERE = "/account/two-factor";
type About = "begin" | "enable" | "renew" | "disable";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [{ setup, ...factor }, account] = await Promise.all([api.account.secondFactor(), api.account.me()]);
    return {
      ...factor,
      setup: setup && { secret: setup.secret.match(/.{1,4}/g)!.join(" "), qr: qrOf(setup.uri) },
      email: account!.email,
      isRequired: new URL(args.request.url).searchParams.has("required"),
    };
  });

/** Several forms: `about` says which. */
export async function action(args: ActionFunctionArgs) {
  const { about, currentPassword, code } = await typed(args.request, "about", "currentPassword", "code");
  switch (about as About) {
    case "begin": {
      const outcome = await act(args, (api) => api.account.beginSecondFactor({ currentPassword }));
      return outcome.done ? redirect(HERE) : again(outcome, { about });
    }
    case "enable": {
      const outcome = await act(args, (api) => api.account.enableSecondFactor({ code }));
      return outcome.done ? { about, codes: outcome.value.recoveryCodes } : again(outcome, { about });
    }
    case "renew": {
      const outcome = await act(args, (api) => api.account.renewRecoveryCodes({ currentPassword, code }));
      return outcome.done ? { about, codes: outcome.value.recoveryCodes } : again(outcome, { about });
    }
    case "disable": {
      const outcome = await act(args, (api) => api.account.disableSecondFactor({ currentPassword, code }));
      return outcome.done ? redirect(noted(HERE, "second-factor-off")) : again(outcome, { about });
    }
    default:
      throw data({ message: "The form does not say what it is about." }, { status: 400 });
  }
}

export default function TwoFactor() {
  const { enabledAt, setup } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  if (answer && "codes" in answer) return <RecoveryCodes codes={answer.codes} isFirst={answer.about === "enable"} />;
  if (enabledAt) return <On />;
  return setup ? <SetUp /> : <Off />;
}

/** What came back to one of the forms. */
function useRefusal(about: About): FormErrors | undefined {
  const answer = useActionData<typeof action>();
  return answer && "errors" in answer && answer.kept.about === about ? answer.errors : undefined;
}

/** One of the forms. Another key at each refusal: neither a wrong password nor a code stays in it. */
function About({ about, children }: { about: About; children: (errors: FormErrors | undefined) => ReactNode }) {
  const { email } = useLoaderData<typeof loader>();
  const errors = useRefusal(about);
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, errors);
  return (
    <Form
      action={HERE}
      className="flex max-w-md flex-col items-start gap-5 [&>div]:w-full"
      key={errors?.requestId}
      method="post"
      preventScrollReset
      ref={form}
    >
      <FormProblem errors={errors} />
      <input name="about" type="hidden" value={about} />
      <PasswordOf email={email} />
      {children(errors)}
    </Form>
  );
}

const CurrentPassword = ({ errors }: { errors: FormErrors | undefined }) => (
  <PasswordField
    autoComplete="current-password"
    autoFocus={Boolean(errors?.fields.currentPassword)}
    error={errors?.fields.currentPassword}
    label="Current password"
    name="currentPassword"
  />
);

function Off() {
  const { isRequired } = useLoaderData<typeof loader>();
  // A first code that came too late has no form of its own any more.
  const late = useRefusal("enable");
  return (
    <>
      <FormProblem errors={late} />
      {isRequired && (
        <Banner title="The desk opens once two-factor authentication is on" tone="warning">
          Operators need it here. Set it up below, then open the desk again.
        </Banner>
      )}
      <Panel
        description="A log-in then asks for a code of an app on your phone besides the password: whoever learns the password alone stays out."
        title="Two-factor authentication is off"
      >
        <About about="begin">
          {(errors) => (
            <>
              <p className="text-muted text-sm leading-6">
                Any authenticator app does that knows one-time passwords (TOTP), such as the one of your password
                manager.
              </p>
              <CurrentPassword errors={errors} />
              <SubmitButton variant={isRequired ? "primary" : "secondary"}>Set it up</SubmitButton>
            </>
          )}
        </About>
      </Panel>
    </>
  );
}

function SetUp() {
  const { setup } = useLoaderData<typeof loader>();
  const { secret, qr } = setup!;
  return (
    <Panel
      description="Nothing changes until the app's first code is in. What is shown here holds for 15 minutes."
      title="Set up your authenticator app"
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-start gap-x-8 gap-y-6">
          {/* White in the dark as well: scanners look for dark on light. */}
          <svg
            aria-label="QR code for your authenticator app"
            className="size-48 shrink-0 rounded-lg border border-line bg-white"
            role="img"
            shapeRendering="crispEdges"
            viewBox={`0 0 ${qr.size} ${qr.size}`}
          >
            <path d={qr.path} fill="#000" />
          </svg>
          <div className="flex min-w-0 flex-1 basis-64 flex-col gap-5">
            <p className="text-sm leading-6">
              Scan this with the app. On the phone itself, or where that is not possible, give it the setup key: of the
              kind “time-based”, with 6 digits.
            </p>
            <CopyField label="Setup key" value={secret} />
          </div>
        </div>
        <About about="enable">
          {(errors) => (
            <>
              <CodeField
                error={errors?.fields.code}
                hint="The six digits that the app shows now for Aisle."
                label="Code"
              />
              <SubmitButton>Turn it on</SubmitButton>
            </>
          )}
        </About>
      </div>
    </Panel>
  );
}

function On() {
  const { enabledAt, recoveryCodes } = useLoaderData<typeof loader>();
  return (
    <>
      <Panel
        description="A log-in asks for a code of your authenticator app besides the password."
        title="Two-factor authentication is on"
      >
        <Facts
          facts={[
            ["Since", <Time at={enabledAt!} key="since" />],
            ["Recovery codes", <Left count={recoveryCodes} key="left" />],
          ]}
        />
      </Panel>
      <Panel
        description="Others take the place of all that there are, used or not. We tell you of it by mail."
        title="New recovery codes"
      >
        <ProveBoth about="renew" submit={<SubmitButton variant="secondary">Make new recovery codes</SubmitButton>} />
      </Panel>
      <Panel
        description="The password then lets in alone. For another phone, turn it off here, and set it up there."
        title="Turn it off"
      >
        <ProveBoth
          about="disable"
          submit={<SubmitButton variant="danger">Turn two-factor authentication off</SubmitButton>}
        />
      </Panel>
    </>
  );
}

/** Password and code, for what changes the second factor. */
const ProveBoth = ({ about, submit }: { about: "renew" | "disable"; submit: ReactNode }) => (
  <About about={about}>
    {(errors) => (
      <>
        <CurrentPassword errors={errors} />
        <CodeField error={errors?.fields.code} hint="Of your app, or a recovery code." recovers />
        {submit}
      </>
    )}
  </About>
);

const Left = ({ count }: { count: number }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    {count === 0 ? "None left" : `${count} left`}
    {count < 3 && <Badge tone="warning">Make new ones</Badge>}
  </span>
);
