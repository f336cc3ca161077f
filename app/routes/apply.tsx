// The application: one an account. On automatic approval the answer to the form itself shows 'Sandbox key', once.
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from "@remix-run/node";
import { Form, type ShouldRevalidateFunction, useActionData, useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { expectShown } from "~/account/expect-shown.server";
import { ApplicationFields, applicationFields } from "~/console/application-fields";
import { NewKey } from "~/console/new-key";
import { PlainPage } from "~/console/plain-page";
import { Prose } from "~/console/prose";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { endpointOf } from "~/lib/endpoint.server";
import { again, typed } from "~/lib/form.server";
import { afterAnyAnswer } from "~/lib/keep-page";
import { useTyping } from "~/lib/typing";
import type { AccountShown } from "~/ui/account-menu";
import { AskBeforeLeaving, STORED } from "~/ui/ask-before-leaving";
import { Banner } from "~/ui/banner";
import { CheckboxField } from "~/ui/checkbox-field";
import { FormProblem } from "~/ui/form-problem";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { SupportLink } from "~/ui/support";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "Apply for access · Aisle" }];

/** Requests whose action answers with the page: their loader, run for that same page, leads nobody away from the key, or what was typed. */
const answered = new WeakSet<AppLoadContext>();

export async function loader(args: LoaderFunctionArgs) {
  return load(args, async (api) => {
    const [account, terms, hasApplied, { length: memberships }, ended] = await Promise.all([
      api.account.me(),
      api.terms.current(),
      api.application.hasApplied(),
      api.consumer.mine(),
      api.consumer.ended(),
    ]);
    if (hasApplied && memberships > 0 && !answered.has(args.context)) throw redirect("/console");
    return { account: account!, terms, hasApplied, ended, endpoint: endpointOf(args) };
  });
}

export const shouldRevalidate: ShouldRevalidateFunction = (args) => {
  if (!afterAnyAnswer(args)) return false;
  return args.actionResult?.errors ? true : args.defaultShouldRevalidate;
};

export async function action(args: ActionFunctionArgs) {
  const fields = [...applicationFields, "acceptedTerms", "accountId"] as const;
  const { acceptedTerms, accountId, ...form } = await typed(args.request, ...fields);
  const outcome = await act(args, async (api) => {
    await expectShown(api, accountId);
    return api.application.submit({ ...form, acceptedTerms });
  });
  if (!outcome.done) {
    const { code, isElsewhere } = outcome.errors;
    // Sent twice, by a reload or a second window: it stands already, and the console shows where.
    if (code === "conflict" && !isElsewhere) return redirect("/console");
    if (isElsewhere) answered.add(args.context);
    return again(outcome, { ...form, acceptedTerms, accountId });
  }
  const { consumerId, key } = outcome.value;
  if (key) {
    answered.add(args.context);
    return { isShownOnce: true, key: key.value, scopes: key.scopes, consumerId };
  }
  await load(args, (api) => api.consumer.choose({ consumerId }));
  return redirect("/console");
}

export default function Apply() {
  const { account, terms, hasApplied } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useAnsweredForm(answer);
  const typing = useTyping(form);
  if (answer && "key" in answer)
    return <Approved consumerId={answer.consumerId} scopes={answer.scopes} value={answer.key} />;
  const { errors, kept } = answer ?? {};
  if (hasApplied && !errors?.isElsewhere) return <NoLongerMember account={account} />;
  return (
    <PlainPage account={account}>
      <Ended />
      <PageHeader
        description="Tell us what you are building. The sandbox comes first; merchants' stores follow with production access."
        title="Apply for access"
      />
      <Panel>
        <Form className="flex flex-col gap-6" method="post" ref={form}>
          <FormProblem errors={errors} />
          <input name="accountId" type="hidden" value={kept?.accountId || account.id} />
          <ApplicationFields
            errors={errors?.fields}
            values={kept ?? { technicalContactEmail: account.email }}
            websiteHint="If it shares a domain with your work email, you usually get sandbox access right away."
          />
          <fieldset className="flex min-w-0 flex-col gap-3 border-line border-t pt-6">
            <legend className="sr-only">Data-use terms</legend>
            <section
              aria-label="Data-use terms"
              className="max-h-72 overflow-y-auto overscroll-contain rounded-md border border-line bg-sunken px-4 py-4"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
              tabIndex={0}
            >
              <Prose markdown={terms.body} top={2} />
            </section>
            <CheckboxField
              defaultChecked={kept?.acceptedTerms === terms.version}
              error={errors?.fields.acceptedTerms}
              // Another version is not accepted by the tick for the one before.
              key={terms.version}
              label={`We accept the data-use terms, version ${terms.version}.`}
              name="acceptedTerms"
              required
              value={terms.version}
            />
          </fieldset>
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton>Submit application</SubmitButton>
            <p className="min-w-0 grow basis-64 text-pretty text-[0.8125rem] text-muted leading-5">
              One application per account. You can edit it until you request production access.
            </p>
          </div>
        </Form>
        <AskBeforeLeaving typing={typing} />
      </Panel>
    </PlainPage>
  );
}

/** For a reviewer whom the console leads here, since their time is over. */
function Ended() {
  const { ended } = useLoaderData<typeof loader>();
  if (ended.length === 0) return null;
  return (
    <Banner title="Your access as a reviewer has ended" tone="warning">
      <ul>
        {ended.map(({ consumerId, name, endsAt }) => (
          <li key={consumerId}>
            {name}: <Time at={endsAt} />
          </li>
        ))}
      </ul>
      <p>
        An operator can renew it: ask an owner of the platform to request it. The form below is for a new platform of
        your own.
      </p>
    </Banner>
  );
}

function Approved({ value, scopes, consumerId }: { value: string; scopes: string[]; consumerId: string }) {
  const { account, endpoint } = useLoaderData<typeof loader>();
  // The address stays the same, so nothing else tells a screen reader that this is another page.
  useEffect(() => document.getElementById("content")?.focus(), []);
  return (
    <PlainPage account={account}>
      <PageHeader
        description="Your platform is in the sandbox, with every tool that its scopes allow."
        title="Approved: here is your sandbox key"
      />
      <Panel
        footer={
          <Form
            action="/console/switch"
            className="flex grow flex-wrap items-center justify-between gap-3"
            method="post"
            state={STORED}
          >
            <input name="consumerId" type="hidden" value={consumerId} />
            <input name="redirectTo" type="hidden" value="/console" />
            <span>The console lists it as “Sandbox key”, without its value.</span>
            <SubmitButton>I have stored it</SubmitButton>
          </Form>
        }
      >
        <NewKey endpoint={endpoint} scopes={scopes} value={value} />
      </Panel>
    </PlainPage>
  );
}

const NoLongerMember = ({ account }: { account: AccountShown }) => (
  <PlainPage account={account}>
    <PageHeader
      description={
        <>
          This account has applied before, and is no longer a member of the platform it applied for. There is one
          application per account:{" "}
          <SupportLink letter={{ subject: `Access again for ${account.email}` }}>ask an operator</SupportLink> to give
          you access again.
        </>
      }
      title="You have already applied"
    />
  </PlainPage>
);
