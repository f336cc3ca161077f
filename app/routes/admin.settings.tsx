// What holds for everybody: who gets a sandbox at once, what a sandbox has, how often the Playground may call.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { SettingsConflict } from "~/admin/settings-conflict";
import { noted, notes } from "~/desk/notes";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, formValues, load } from "~/lib/api.server";
import { fieldError } from "~/lib/field-error";
import { formOf } from "~/lib/form.server";
import { useDrawn, useTyping } from "~/lib/typing";
import { Banner } from "~/ui/banner";
import { ChoicesField } from "~/ui/choices-field";
import { DoneNote } from "~/ui/done-note";
import { FormProblem } from "~/ui/form-problem";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { scopeChoices } from "~/ui/scopes";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

/** After a refusal too: somebody else may have changed them. */
export { afterAnyAnswer as shouldRevalidate, keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Settings · Aisle" }];
export const handle = { crumb: "Settings" };

export const loader = (args: LoaderFunctionArgs) => load(args, (api) => api.settings.get());

const numbers = ["sandboxRateLimit", "sandboxMaxKeys", "playgroundRateLimit"] as const;

export async function action(args: ActionFunctionArgs) {
  const values = formValues(await formOf(args.request));
  const text = (name: string) => String(values[name] ?? "");
  const kept = {
    approvalRule: text("approvalRule"),
    sandboxScopes: Array.isArray(values.sandboxScopes) ? values.sandboxScopes : [],
    sandboxRateLimit: text("sandboxRateLimit"),
    sandboxMaxKeys: text("sandboxMaxKeys"),
    playgroundRateLimit: text("playgroundRateLimit"),
    version: text("version"),
  };
  const outcome = await act(args, (api) => {
    // What was posted is checked by the procedure, like all that is.
    type Input = Parameters<typeof api.settings.change>[0];
    return api.settings.change(kept as unknown as Input);
  });
  return outcome.done
    ? redirect(noted("/admin/settings", "settings"))
    : data({ errors: outcome.errors, kept }, outcome.response.init ?? undefined);
}

const rules = [
  {
    value: "automatic_domain",
    label: "Automatically, if email and website share a domain",
    detail:
      "Registrable domains are compared: ada@shop.co.uk matches www.shop.co.uk. Free-mail and disposable addresses never match, nor do domains shared by strangers, such as slack.com or wordpress.com. Applications that do not match are reviewed.",
  },
  {
    value: "automatic_all",
    label: "Automatically, for everyone",
    detail:
      "Each application gets its sandbox and first key as soon as it is submitted. The sandbox reads only the demo store.",
  },
  {
    value: "manual",
    label: "Only after review",
    detail: "Each application waits in the review queue until an operator approves it.",
  },
];

export default function SettingsPage() {
  const saved = useLoaderData<typeof loader>();
  const given = useActionData<typeof action>();
  // A conflict comes a moment before what is saved now, which it tells.
  const isEarly = given?.errors.code === "conflict" && given.kept.version === String(saved.version);
  const answer = isEarly ? undefined : given;
  const form = useAnsweredForm(answer);
  const { errors, kept } = answer ?? {};
  const {
    key,
    values: shown,
    version,
  } = useDrawn(useTyping(form), {
    looks: `${saved.version} ${answer !== undefined}`,
    values: kept ?? saved,
    version: saved.version,
  });
  const count = (name: (typeof numbers)[number]) => ({
    name,
    defaultValue: shown[name],
    error: errors?.fields[name],
    inputMode: "numeric" as const,
    min: 1,
    step: 1,
    type: "number",
  });
  return (
    <>
      <PageHeader
        description={
          saved.lastChange ? (
            <>
              Changed <Time at={saved.lastChange.at} /> by{" "}
              {saved.lastChange.by ?? "the command line or a deleted account"}.{" "}
              <TextLink to="/admin/audit?action=settings">All changes</TextLink>
            </>
          ) : (
            "Defaults. No one has changed them yet."
          )
        }
        title="Settings"
      />
      {!answer && <DoneNote notes={notes} />}
      {/* A new form for each version, and once a refusal was read: it shows what somebody else changed meanwhile. */}
      <Form className="flex max-w-3xl flex-col gap-6" key={key} method="post" preventScrollReset ref={form}>
        {errors?.code === "conflict" && kept ? (
          <Banner title={errors.message} tone="danger">
            <SettingsConflict kept={kept} rules={rules} saved={saved} />
          </Banner>
        ) : (
          <FormProblem errors={errors} />
        )}
        <ShownVersion errors={errors} name="version" newest={version} posted={kept?.version} />
        <Panel title="Who gets a sandbox">
          <ChoicesField
            choices={rules}
            chosen={[shown.approvalRule]}
            error={errors?.fields.approvalRule}
            hint="Applications already waiting keep waiting."
            label="Approval rule"
            name="approvalRule"
            single
          />
        </Panel>
        <Panel
          description="What a new platform starts with. Existing platforms keep theirs; change them on their own pages."
          title="What a sandbox has"
        >
          <div className="flex flex-col gap-5">
            <ChoicesField
              choices={scopeChoices()}
              chosen={[...shown.sandboxScopes]}
              error={fieldError(errors?.fields, "sandboxScopes")}
              label="Scopes"
              name="sandboxScopes[]"
            />
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <TextField
                {...count("sandboxRateLimit")}
                hint="Across all of a platform's keys."
                label="Requests per minute"
                max={1_000_000}
              />
              <TextField
                {...count("sandboxMaxKeys")}
                hint="Active at the same time. Superseded, expired and revoked keys do not count."
                label="Maximum keys"
                max={1000}
              />
            </div>
          </div>
        </Panel>
        <Panel
          description="Runs tools as the platform, without a key. This limit applies to every platform."
          title="Playground"
        >
          <div className="sm:max-w-64">
            <TextField {...count("playgroundRateLimit")} label="Calls per minute" max={1_000_000} />
          </div>
        </Panel>
        <div>
          <SubmitButton>{errors?.code === "conflict" ? "Save mine anyway" : "Save settings"}</SubmitButton>
        </div>
      </Form>
    </>
  );
}
