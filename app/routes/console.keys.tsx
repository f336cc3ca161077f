// Keys: owners issue, rotate and revoke; everybody else of the consumer reads. A value is in one action's answer, once.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { KeyRound, Plus } from "lucide-react";
import { useCurrent } from "~/console/current";
import { IssueDialog, RevokeDialog, RotateDialog, StoreDialog } from "~/console/key-dialogs";
import { issue, revoke, rotate } from "~/console/key-forms.server";
import { type Key, REFUSED, useKeyNotes, workingTitle, works } from "~/console/keys";
import { EndedKeys, KeysTable } from "~/console/keys-table";
import { noAccess } from "~/console/no-access";
import { load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { endpointOf } from "~/lib/endpoint.server";
import { formOf, noIntent } from "~/lib/form.server";
import { Banner } from "~/ui/banner";
import { Button } from "~/ui/button";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { SupportLink } from "~/ui/support";
import { TextLink } from "~/ui/text-link";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Keys · Aisle" }];
export const handle = { crumb: "Keys" };
export const shouldRevalidate = keepDataForDialog;

const LOG = "/console/requests";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [keys, { limits, scopes, terms, state }] = await Promise.all([api.keys.list(), api.consumer.inUse()]);
    return {
      keys,
      maximum: limits.keys.maximum,
      used: limits.keys.active,
      scopes,
      terms,
      state,
      endpoint: endpointOf(args),
      attempt: crypto.randomUUID(),
    };
  });

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  switch (form.get("intent")) {
    case "issue":
      return issue(args, form);
    case "rotate":
      return rotate(args, form);
    case "revoke":
      return revoke(args, form);
    default:
      throw noIntent();
  }
}

export default function Keys() {
  const { keys, maximum, used, scopes, terms, state } = useLoaderData<typeof loader>();
  const isOwner = useCurrent().role === "owner";
  const answer = useActionData<typeof action>();
  const notes = useKeyNotes(keys);
  const hindrance = useHindrance();
  const working = keys.filter(works);
  const ended = keys.filter((key) => !works(key));
  const areRefused = state === "revoked" && working.length > 0;
  const title = workingTitle(areRefused);
  const dialog = useDialog(working);
  // With access revoked nothing that an owner does leads to a key.
  const mayIssue = isOwner && state !== "revoked";
  return (
    <>
      <PageHeader
        actions={mayIssue && (working.length > 0 || hindrance) && <IssueButton isHindered={hindrance !== null} />}
        description="Your agent calls the endpoint with a key. All keys share the platform's requests per minute."
        title="Keys"
      />
      {!answer && <DoneNote notes={notes} />}
      {answer && "errors" in answer && !dialog && <Refusal errors={answer.errors} />}
      {hindrance && <div id="hindrance">{hindrance}</div>}
      <Panel
        description={
          areRefused ? (
            REFUSED
          ) : (
            <>
              {`${used} of ${maximum} in use. Superseded, expired and revoked keys do not count. `}
              <Missing working={working} />
            </>
          )
        }
        flush
        title={title}
      >
        {working.length > 0 ? (
          <KeysTable
            areRefused={areRefused}
            caption={title}
            keys={working}
            log={LOG}
            may={!isOwner ? "look" : mayIssue && terms.accepted === terms.current ? "rotate and revoke" : "revoke"}
            scopes={scopes}
          />
        ) : (
          <EmptyState action={mayIssue && !hindrance && <IssueButton />} icon={KeyRound} title="No working keys">
            {isOwner
              ? "A key lets your agent call the endpoint. Its value is shown once, when it is issued."
              : "Keys that an owner issues are listed here, without their values."}
          </EmptyState>
        )}
      </Panel>
      <EndedKeys keys={ended} log={LOG} scopes={scopes} />
      {dialog}
    </>
  );
}

/** A scope that was granted later is in no key, nor in what keys are rotated to. */
function Missing({ working }: { working: Key[] }) {
  const { scopes } = useLoaderData<typeof loader>();
  const missing = scopes.filter((scope) => !working.some((key) => key.scopes.includes(scope)));
  if (working.length === 0 || missing.length === 0) return null;
  return `None of these has ${missing.join(", ")}, which the platform may use: that takes a new key.`;
}

const IssueButton = ({ isHindered = false }: { isHindered?: boolean }) =>
  isHindered ? (
    <Button aria-describedby="hindrance" disabled icon={<Plus aria-hidden />} variant="primary">
      Issue a key
    </Button>
  ) : (
    <DialogLink dialog="issue" icon={<Plus aria-hidden />} variant="primary">
      Issue a key
    </DialogLink>
  );

/** Why no key can be issued now, for whoever it concerns; null when one can. */
function useHindrance() {
  const { keys, maximum, used, terms, state } = useLoaderData<typeof loader>();
  const current = useCurrent();
  const { role } = current;
  const hindrance = noAccess(
    { ...current, state },
    <>
      <TextLink to="/console">Overview</TextLink> shows the decision.
    </>,
  );
  if (hindrance) return hindrance;
  if (terms.accepted !== terms.current) {
    return (
      <Banner title={`New keys${used > 0 ? " and rotations" : ""} wait for the data-use terms`} tone="warning">
        Version {terms.current} is new. {role === "owner" ? "Accept it" : "An owner can accept it"} on{" "}
        <TextLink to="/console">Overview</TextLink>
        {used > 0 && "; existing keys keep working"}.
      </Banner>
    );
  }
  if (role !== "owner") {
    return <Banner title="You can see the keys; only owners issue, rotate and revoke them" tone="neutral" />;
  }
  if (used >= maximum) {
    const ask = (words: string) => (
      <SupportLink letter={{ subject: `More keys for ${current.name} (${current.slug})` }}>{words}</SupportLink>
    );
    const mayRotate = used > 0 && "You can still rotate keys, which keeps their expiry.";
    if (maximum === 0) {
      return (
        <Banner title="No key may be issued" tone="neutral">
          Its maximum is 0. {ask("Ask the operator for more")}. {mayRotate}
        </Banner>
      );
    }
    // A maximum may have been lowered below what is in use.
    const spare = used - maximum + 1;
    const [what, before] = spare === 1 ? ["one", "the key before it if that"] : [spare, "the keys before them if they"];
    return (
      <Banner title={`The maximum of ${maximum} ${maximum === 1 ? "key" : "keys"} is reached`} tone="neutral">
        Revoke {what}
        {keys.some((key) => key.before) && `, and ${before} still ${spare === 1 ? "works" : "work"},`} to issue another,
        or {ask("ask the operator for more")}. {mayRotate}
      </Banner>
    );
  }
  return null;
}

/** What the address opens, or the value that the answer to a form has, once. */
function useDialog(working: Key[]) {
  const { scopes, endpoint, attempt } = useLoaderData<typeof loader>();
  const { role, consumerId } = useCurrent();
  const answer = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  if (answer && "value" in answer) return <StoreDialog endpoint={endpoint} {...answer} />;
  if (role !== "owner") return null;
  const { errors, kept } = answer && "errors" in answer ? { kept: undefined, ...answer } : {};
  const key = working.find((one) => one.id === id);
  if (dialog === "issue")
    return <IssueDialog attempt={attempt} closeTo={closeTo} errors={errors} kept={kept} scopes={scopes} />;
  if (dialog === "rotate" && key?.state === "active")
    return <RotateDialog closeTo={closeTo} errors={errors} of={key} />;
  if (dialog === "revoke" && key)
    return <RevokeDialog closeTo={closeTo} consumerId={consumerId} errors={errors} of={key} />;
  return null;
}
