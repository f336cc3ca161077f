// Two-factor authentication on its page: off, being set up, on.
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import type { About, action, loader } from "~/routes/account.two-factor";
import { Badge } from "~/ui/badge";
import { Banner } from "~/ui/banner";
import { CopyField } from "~/ui/copy-field";
import { Facts } from "~/ui/facts";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { Time } from "~/ui/time";
import { CodeField } from "./code-field";
import { CurrentPassword } from "./current-password";
import { PasswordOf } from "./new-password";
import { ForThisAccount } from "./this-account";

/** What came back to one of the forms. */
function useRefused() {
  const answer = useActionData<typeof action>();
  return answer && "errors" in answer ? answer : undefined;
}

/** What came back to a form that the page has no more: it came too late, or was about another account. */
function Strayed({ from }: { from: About[] }) {
  const refused = useRefused();
  return <FormProblem errors={from.includes(refused?.kept.about as About) ? refused?.errors : undefined} />;
}

/** One of the forms. Another key at each refusal: neither a wrong password nor a code stays in it. */
function AboutForm({ about, children }: { about: About; children: (errors: FormErrors | undefined) => ReactNode }) {
  const { email } = useLoaderData<typeof loader>();
  const refused = useRefused();
  const { errors, kept } = refused?.kept.about === about ? refused : {};
  const form = useAnsweredForm(errors);
  return (
    <Form
      action="/account/two-factor"
      className="flex max-w-md flex-col items-start gap-5 [&>div]:w-full"
      key={errors?.requestId}
      method="post"
      preventScrollReset
      ref={form}
    >
      <FormProblem errors={errors} />
      <ForThisAccount posted={kept?.accountId} />
      <input name="about" type="hidden" value={about} />
      <PasswordOf email={email} />
      {children(errors)}
    </Form>
  );
}

export function Off() {
  const { isRequired } = useLoaderData<typeof loader>();
  return (
    <>
      <Strayed from={["enable", "renew", "disable"]} />
      {isRequired && (
        <Banner title="The operator pages open once two-factor authentication is on" tone="warning">
          Operators need it here. Set it up below, then open the operator pages again.
        </Banner>
      )}
      <Panel
        description="Once it is on, logging in asks for your password and a code from an app on your phone, so a stolen password is not enough. Any authenticator app that supports one-time passwords (TOTP) works, such as the one in your password manager."
        title="Two-factor authentication is off"
      >
        <AboutForm about="begin">
          {(errors) => (
            <>
              <CurrentPassword errors={errors} />
              <SubmitButton>Set it up</SubmitButton>
            </>
          )}
        </AboutForm>
      </Panel>
    </>
  );
}

export function SetUp() {
  const { setup } = useLoaderData<typeof loader>();
  const { secret, qr } = setup!;
  return (
    <>
      <Strayed from={["begin", "renew", "disable"]} />
      <Panel
        description="Nothing changes until you enter the app's first code. This setup is valid for 15 minutes."
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
                Scan this with the app. If you cannot scan it, or you are on the phone itself, enter the setup key
                instead: type “time-based”, 6 digits.
              </p>
              <CopyField label="Setup key" value={secret} />
            </div>
          </div>
          <AboutForm about="enable">
            {(errors) => (
              <>
                <CodeField error={errors?.fields.code} hint="The six digits the app shows for Aisle." label="Code" />
                <SubmitButton>Turn it on</SubmitButton>
              </>
            )}
          </AboutForm>
        </div>
      </Panel>
    </>
  );
}

export function On() {
  const { enabledAt, recoveryCodes } = useLoaderData<typeof loader>();
  return (
    <>
      <Strayed from={["begin", "enable"]} />
      <Panel
        description="Logging in asks for your password and a code from your authenticator app."
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
        description="New codes replace all existing ones, used or not. We email you a confirmation."
        title="New recovery codes"
      >
        <ProveBoth about="renew" submit={<SubmitButton variant="secondary">Make new recovery codes</SubmitButton>} />
      </Panel>
      <Panel
        description="Your password alone then logs you in. To move to another phone, turn it off here and set it up there."
        title="Turn it off"
      >
        <ProveBoth
          about="disable"
          submit={<SubmitButton variant="danger">Turn off two-factor authentication</SubmitButton>}
        />
      </Panel>
    </>
  );
}

/** Password and code, for what changes the second factor. */
const ProveBoth = ({ about, submit }: { about: "renew" | "disable"; submit: ReactNode }) => (
  <AboutForm about={about}>
    {(errors) => (
      <>
        <CurrentPassword errors={errors} />
        <CodeField error={errors?.fields.code} hint="From your app, or a recovery code." recovers />
        {submit}
      </>
    )}
  </AboutForm>
);

const Left = ({ count }: { count: number }) => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
    {count === 0 ? "None left" : `${count} left`}
    {count < 3 && <Badge tone="warning">Make new ones</Badge>}
  </span>
);
