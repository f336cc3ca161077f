// A new version: written, then looked at as it will be read and against the current one, and only then published.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { Prose } from "~/console/prose";
import { noted } from "~/desk/notes";
import { TextDiff } from "~/desk/text-diff";
import { diffOf } from "~/desk/text-diff.server";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, type FormErrors, load } from "~/lib/api.server";
import { again, typed } from "~/lib/form.server";
import { grouped } from "~/lib/numbers";
import { useTyping } from "~/lib/typing";
import { AskBeforeLeaving } from "~/ui/ask-before-leaving";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { FormProblem } from "~/ui/form-problem";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "New version of the terms · Aisle" }];
export const handle = { crumb: "New version" };

/** The terms are everybody's to read; this page is the operators'. */
export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [current] = await Promise.all([api.terms.current(), api.terms.versions()]);
    return current;
  });

/** `intent`: write (again), preview, publish. */
export async function action(args: ActionFunctionArgs) {
  const { intent, version, body, after, confirm } = await typed(
    args.request,
    "intent",
    "version",
    "body",
    "after",
    "confirm",
  );
  const kept = { version, body };
  if (intent === "write") return { kept, errors: undefined };
  if (intent === "publish" && confirm !== "") {
    const outcome = await act(args, (api) => api.terms.publish({ ...kept, after }));
    return outcome.done ? redirect(noted("/admin/terms", "terms")) : again(outcome, kept);
  }
  const outcome = await act(args, (api) => api.terms.draft(kept));
  if (!outcome.done) return again(outcome, kept);
  const { current, consumers, ...draft } = outcome.value;
  const preview = { ...draft, after: current.version, consumers, diff: diffOf(current.body, draft.body) };
  const isUnconfirmed = intent === "publish";
  return data({ preview, isUnconfirmed }, { status: isUnconfirmed ? 400 : 200 });
}

export default function NewTerms() {
  const answer = useActionData<typeof action>();
  const errors = answer && "errors" in answer ? answer.errors : undefined;
  const form = useAnsweredForm(errors);
  const typing = useTyping(form);
  const isRefused = answer && "preview" in answer ? answer.isUnconfirmed : errors !== undefined;
  // Another step is another page, though the address is the same. A refusal brings what was refused into view.
  useEffect(() => {
    if (answer && !isRefused) window.scrollTo(0, 0);
  }, [answer, isRefused]);
  // What was written last is there also where Back leads away from its preview.
  const [draft, setDraft] = useState<Draft>();
  const sent = answer && ("preview" in answer ? answer.preview : answer.kept);
  if (sent && sent !== draft) setDraft(sent);
  return (
    <>
      {answer && "preview" in answer ? (
        <Preview {...answer} />
      ) : (
        <Write draft={sent ?? draft} errors={errors} form={form} />
      )}
      <AskBeforeLeaving typing={typing} />
    </>
  );
}

type Answer = Exclude<ReturnType<typeof useActionData<typeof action>>, undefined>;

interface Draft {
  version: string;
  body: string;
}

function Write({
  draft,
  errors,
  form,
}: {
  draft: Draft | undefined;
  errors: FormErrors | undefined;
  form: RefObject<HTMLFormElement>;
}) {
  const current = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        description={`It starts from the text of ${current.version}, the version in force. Nothing is published before you preview it.`}
        title="New version of the terms"
      />
      <Panel>
        {/* The preview has a place of its own in the history: Back leads here. */}
        <Form className="flex flex-col gap-6" method="post" ref={form} replace={false}>
          <FormProblem errors={errors} />
          <div className="sm:max-w-xl sm:[&_input]:max-w-64">
            <TextField
              defaultValue={draft?.version}
              error={errors?.fields.version}
              hint={`After ${current.version}. It names the version; the terms apply from the moment they are published.`}
              label="Date"
              name="version"
              type="date"
            />
          </div>
          <TextareaField
            defaultValue={draft?.body ?? current.body}
            error={errors?.fields.body}
            hint="Separate paragraphs with blank lines. Supports # headings, 1. and - lists, **bold**, `code`, [links](https://…)."
            label="Text"
            maxLength={100_000}
            mono
            name="body"
            rows={16}
          />
          <div className="flex flex-wrap gap-2">
            <SubmitButton name="intent" value="preview">
              Preview and compare
            </SubmitButton>
            <ButtonLink to="/admin/terms">Cancel</ButtonLink>
          </div>
        </Form>
      </Panel>
    </>
  );
}

function Preview({ preview, isUnconfirmed }: Extract<Answer, { preview: unknown }>) {
  const { version, body, after, consumers, diff } = preview;
  const form = useAnsweredForm(isUnconfirmed && preview);
  // Its first text is that of the version before, which may say so.
  const namesOther = body.includes(after) && !body.includes(version);
  const changed = diff.filter(({ kind }) => kind !== "same").length;
  return (
    <>
      <PageHeader
        description={`This is what platforms will read. It replaces ${after} the moment you publish it.`}
        title={`Version ${version}`}
      />
      <Panel
        description={`${grouped(changed)} of ${grouped(diff.length)} paragraphs differ.`}
        flush
        title={`What changes from ${after}`}
      >
        <TextDiff paragraphs={diff} />
      </Panel>
      <Panel title="As it will be read">
        <div className="flex max-w-3xl flex-col gap-5">
          {namesOther && (
            <Banner title={`The text names version ${after}, not ${version}`} tone="warning">
              If it is to say which version it is, choose “Keep editing” below and change the date in the text.
            </Banner>
          )}
          <Prose markdown={body} top={3} />
        </div>
      </Panel>
      <Panel title="Publish">
        <Form className="flex max-w-3xl flex-col gap-5" method="post" ref={form}>
          <Banner title={`${counted(consumers)} cannot issue or rotate keys until an owner accepts`} tone="warning">
            Their keys keep working. A published version cannot be edited or withdrawn, only replaced by another.
          </Banner>
          <input name="version" type="hidden" value={version} />
          <input name="body" type="hidden" value={body} />
          <input name="after" type="hidden" value={after} />
          <CheckboxField
            error={isUnconfirmed ? "Tick this to publish." : undefined}
            label={`I have read version ${version} as it stands above`}
            name="confirm"
          />
          <div className="flex flex-wrap gap-2">
            <SubmitButton name="intent" value="publish">
              Publish {version}
            </SubmitButton>
            <SubmitButton name="intent" value="write" variant="secondary">
              Keep editing
            </SubmitButton>
          </div>
        </Form>
      </Panel>
    </>
  );
}

const counted = (consumers: number) =>
  consumers === 1 ? "One platform" : `${consumers === 0 ? "No" : grouped(consumers)} platforms`;
