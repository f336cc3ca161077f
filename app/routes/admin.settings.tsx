// What holds for everybody: who gets a sandbox at once, what a sandbox has, how often the Playground may call.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import { noted, notes } from "~/desk/notes";
import { act, formValues, load } from "~/lib/api.server";
import { useFocusInvalid } from "~/lib/focus-invalid";
import { formOf } from "~/lib/form.server";
import { grouped } from "~/lib/numbers";
import { Banner } from "~/ui/banner";
import { ChoicesField } from "~/ui/choices-field";
import { DoneNote } from "~/ui/done-note";
import { FormProblem } from "~/ui/form-problem";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { scopeChoices } from "~/ui/scopes";
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
  };
  const outcome = await act(args, (api) => {
    // What was posted is checked by the procedure, like all that is.
    type Input = Parameters<typeof api.settings.change>[0];
    return api.settings.change({ ...kept, version: text("version") } as Input);
  });
  return outcome.done
    ? redirect(noted("/admin/settings", "settings"))
    : data({ errors: outcome.errors, kept }, outcome.response.init ?? undefined);
}

const rules = [
  {
    value: "automatic_domain",
    label: "At once, when email and website share a domain",
    detail:
      "Compared are registrable domains: ada@shop.co.uk fits www.shop.co.uk. Free-mail and disposable addresses never fit, nor those of a domain that strangers share, such as slack.com or wordpress.com. Who does not fit is reviewed.",
  },
  {
    value: "automatic_all",
    label: "At once, for everybody",
    detail:
      "Each application gets its sandbox and first key in the answer to the form. The sandbox reads the demo store alone.",
  },
  {
    value: "manual",
    label: "Only after review",
    detail: "Each application waits in the review queue until an operator approves it.",
  },
];

export default function SettingsPage() {
  const saved = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, answer);
  const { errors, kept } = answer ?? {};
  const shown = kept ?? saved;
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
            "As they came. Nobody has changed them yet."
          )
        }
        title="Settings"
      />
      {!answer && <DoneNote notes={notes} />}
      <Form className="flex max-w-3xl flex-col gap-6" method="post" preventScrollReset ref={form}>
        {errors?.code === "conflict" && kept ? (
          <Banner title={errors.message} tone="danger">
            {differences(saved, kept)}
          </Banner>
        ) : (
          <FormProblem errors={errors} />
        )}
        {/* Another version is another field: a browser keeps what a field once had. */}
        <input key={saved.version} name="version" type="hidden" value={saved.version} />
        <Panel title="Who gets a sandbox">
          <ChoicesField
            choices={rules}
            chosen={[shown.approvalRule]}
            error={errors?.fields.approvalRule}
            hint="Applications that wait already go on waiting."
            label="Approval rule"
            name="approvalRule"
            single
          />
        </Panel>
        <Panel
          description="What a new platform begins with. Existing platforms keep theirs; change them on their own pages."
          title="What a sandbox has"
        >
          <div className="flex flex-col gap-5">
            <ChoicesField
              choices={scopeChoices()}
              chosen={[...shown.sandboxScopes]}
              error={scopeError(errors?.fields)}
              label="Scopes"
              name="sandboxScopes[]"
            />
            <div className="grid items-start gap-5 sm:grid-cols-2">
              <TextField
                {...count("sandboxRateLimit")}
                hint="Over all keys of a platform."
                label="Requests per minute"
                max={1_000_000}
              />
              <TextField
                {...count("sandboxMaxKeys")}
                hint="Active at once. Superseded, expired and revoked ones do not count."
                label="Keys at most"
                max={1000}
              />
            </div>
          </div>
        </Panel>
        <Panel
          description="It runs tools as the platform, without a key. Holds for every platform at once."
          title="Playground"
        >
          <div className="max-w-64">
            <TextField {...count("playgroundRateLimit")} label="Calls per minute" max={1_000_000} />
          </div>
        </Panel>
        <div>
          <SubmitButton>{errors?.code === "conflict" ? "Save mine all the same" : "Save settings"}</SubmitButton>
        </div>
      </Form>
    </>
  );
}

const scopeError = (fields: Record<string, string> | undefined) =>
  Object.entries(fields ?? {}).find(([path]) => path.split(".")[0] === "sandboxScopes")?.[1];

type Values = Record<string, unknown>;
const names: Record<string, string> = {
  approvalRule: "Approval rule",
  sandboxScopes: "Scopes",
  sandboxRateLimit: "Requests per minute",
  sandboxMaxKeys: "Keys at most",
  playgroundRateLimit: "Playground calls per minute",
};
const said = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(", ") || "none";
  const rule = rules.find((one) => one.value === value);
  return rule ? `“${rule.label}”` : grouped(Number(value));
};

/** What was typed beside what somebody else saved meanwhile. */
function differences(saved: Values, kept: Values): ReactNode {
  const differing = Object.keys(names).filter((name) => String(saved[name]) !== String(kept[name]));
  if (differing.length === 0) return "What you see below is what is saved now.";
  return (
    <>
      <p>Saved now, and not as in your form:</p>
      <ul className="list-disc pl-5">
        {differing.map((name) => (
          <li key={name}>
            {names[name]}: {said(saved[name])}. Yours: {said(kept[name])}.
          </li>
        ))}
      </ul>
    </>
  );
}
