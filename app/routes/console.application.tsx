// The application as it was submitted; under review and in sandbox its owner can change it.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { applicationFacts } from "~/console/application-facts";
import { ApplicationFields, applicationFields } from "~/console/application-fields";
import { ForThisConsumer, useCurrent } from "~/console/current";
import { expectShown } from "~/console/expect-shown.server";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { useDrawn, useTyping } from "~/lib/typing";
import { AskBeforeLeaving } from "~/ui/ask-before-leaving";
import { DoneNote, type Notes } from "~/ui/done-note";
import { Facts } from "~/ui/facts";
import { FormProblem } from "~/ui/form-problem";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Application · Aisle" }];
export const handle = { crumb: "Application" };

export const loader = (args: LoaderFunctionArgs) => load(args, (api) => api.application.get());

const notes: Notes = { saved: ["Saved", "The review uses what you have entered here."] };
const notesInSandbox: Notes = {
  saved: ["Saved", "A request for production access is decided on what is entered here at that time."],
};

/** Until when it can be changed. */
const open: Partial<Record<ReturnType<typeof useCurrent>["state"], string>> = {
  under_review: "until an operator has decided",
  sandbox: "until production access is requested",
};

export async function action(args: ActionFunctionArgs) {
  const { consumerId, updatedAt, ...form } = await typed(args.request, "consumerId", "updatedAt", ...applicationFields);
  const outcome = await act(args, async (api) => {
    await expectShown(api, consumerId);
    return api.application.edit({ ...form, ...(updatedAt && { updatedAt }) });
  });
  return outcome.done
    ? redirect("/console/application?done=saved")
    : again(outcome, { ...form, consumerId, updatedAt });
}

export default function Application() {
  const application = useLoaderData<typeof loader>();
  const { role, state } = useCurrent();
  const answer = useActionData<typeof action>();
  const until = open[state];
  const isEditable = until !== undefined && role === "owner";
  return (
    <>
      <PageHeader
        description={
          <>
            Submitted <Time at={application.submittedAt} />.{" "}
            {until
              ? `${isEditable ? "You" : "An owner"} can change it ${until}.`
              : state === "production_requested"
                ? "It cannot be changed while the request for production access is under review."
                : "It has been decided, and can no longer be changed."}
          </>
        }
        title="Application"
      />
      {!answer && <DoneNote notes={state === "sandbox" ? notesInSandbox : notes} />}
      {!isEditable && <Refusal errors={answer?.errors} />}
      <div className="flex max-w-3xl flex-col gap-6">
        {answer && !isEditable && <Typed kept={answer.kept} />}
        <Panel {...(answer && !isEditable && { title: "What is saved" })}>
          {isEditable ? <Edit /> : <Facts facts={applicationFacts(application)} />}
        </Panel>
      </div>
    </>
  );
}

/** Where the form is gone: what was typed into it stays to be copied. */
function Typed({ kept }: { kept: Record<(typeof applicationFields)[number], string> }) {
  const facts = applicationFacts({ ...kept, technicalContactEmail: kept.technicalContactEmail || "None" });
  return (
    <Panel description="It was not saved." title="What you typed">
      <Facts facts={facts} />
    </Panel>
  );
}

function Edit() {
  const application = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useAnsweredForm(answer);
  const { errors, kept } = answer ?? {};
  const typing = useTyping(form);
  const { key, values, version } = useDrawn(typing, {
    looks: `${application.updatedAt} ${answer !== undefined}`,
    values: kept ?? application,
    version: new Date(application.updatedAt).toISOString(),
  });
  return (
    <>
      {/* A new form for each version, and once a refusal was read: it shows what somebody else changed meanwhile. */}
      <Form className="flex flex-col gap-6" key={key} method="post" preventScrollReset ref={form}>
        <ForThisConsumer posted={kept?.consumerId} />
        <ShownVersion errors={errors} name="updatedAt" newest={version} posted={kept?.updatedAt} />
        <FormProblem errors={errors} />
        <ApplicationFields errors={errors?.fields} values={values} />
        <div>
          <SubmitButton>Save changes</SubmitButton>
        </div>
      </Form>
      <AskBeforeLeaving typing={typing} />
    </>
  );
}
