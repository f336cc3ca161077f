// A consumer's keys, which operators see and revoke. They issue by the command line alone, and rotating is the owners'.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { KeyRound } from "lucide-react";
import { useConsumer } from "~/admin/consumer";
import { RevokeDialog } from "~/console/key-dialogs";
import { REFUSED, revokedAt, useKeyNotes, workingTitle, works } from "~/console/keys";
import { EndedKeys, KeysTable } from "~/console/keys-table";
import { noAccess } from "~/console/no-access";
import { act, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { typed } from "~/lib/form.server";
import { isName } from "~/lib/is-name";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `Keys of ${params.slug} · Aisle` }];
export const handle = { crumb: "Keys" };
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return { keys: await api.consumers.keys({ consumerId: id }) };
  });

/** The name that was typed is compared here too: without scripts nothing else does. */
export async function action(args: ActionFunctionArgs) {
  const { id, confirm } = await typed(args.request, "id", "confirm");
  const slug = String(args.params.slug);
  const outcome = await act(args, async (api) => {
    const consumer = await api.consumers.get({ slug });
    const keys = await api.consumers.keys({ consumerId: consumer.id });
    const name = keys.find((key) => key.id === id)?.name;
    const isConfirmed = name !== undefined && isName(confirm, name);
    if (isConfirmed) await api.consumers.revokeKey({ id });
    return { name, isConfirmed };
  });
  if (!outcome.done) return outcome.response;
  const { name, isConfirmed } = outcome.value;
  if (isConfirmed) return redirect(revokedAt(`/admin/consumers/${slug}/keys`, id));
  const message = name === undefined ? "There is no such key here." : `Nothing was revoked: type “${name}” to confirm.`;
  const fields: Record<string, string> = name === undefined ? {} : { confirm: message };
  return data(
    { errors: { message, fields, code: "invalid_input", requestId: args.context.requestId } },
    { status: 400 },
  );
}

export default function Keys() {
  const { keys } = useLoaderData<typeof loader>();
  const consumer = useConsumer();
  const { scopes, maxKeys } = consumer;
  const answer = useActionData<typeof action>();
  const notes = useKeyNotes(keys);
  const { dialog, id, closeTo } = useDialogParams();
  const errors = answer && "errors" in answer ? answer.errors : undefined;
  const working = keys.filter(works);
  const ended = keys.filter((key) => !works(key));
  const areRefused = consumer.state === "revoked" && working.length > 0;
  const title = workingTitle(areRefused);
  const key = dialog === "revoke" && working.find((one) => one.id === id);
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      {!key && <Refusal errors={errors} />}
      {noAccess(consumer)}
      <Panel
        description={
          areRefused
            ? `${REFUSED} Owners get an email when you revoke one; values are never shown.`
            : `Up to ${maxKeys}. Owners issue and rotate them, and get an email when you revoke one; values are never shown.`
        }
        flush
        title={title}
      >
        {working.length > 0 ? (
          <KeysTable areRefused={areRefused} caption={title} keys={working} may="revoke" scopes={scopes} />
        ) : (
          <EmptyState icon={KeyRound} title="No working keys">
            An owner issues keys on their Keys page.
          </EmptyState>
        )}
      </Panel>
      <EndedKeys keys={ended} scopes={scopes} />
      {key && <RevokeDialog closeTo={closeTo} errors={errors} of={key} />}
    </>
  );
}
