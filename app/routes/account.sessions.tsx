import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { expectShown } from "~/account/expect-shown.server";
import { leave } from "~/account/leave.server";
import { noted } from "~/account/notes";
import { ForThisAccount } from "~/account/this-account";
import { act, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, typed } from "~/lib/form.server";
import { exactTime } from "~/lib/relative-time";
import type { loader as frame } from "~/routes/account";
import { Badge } from "~/ui/badge";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Sessions · Aisle" }];
export const handle = { crumb: "Sessions" };
export const shouldRevalidate = keepDataForDialog;

export const loader = async (args: LoaderFunctionArgs) => ({
  sessions: await load(args, (api) => api.account.sessions()),
});

/** Ends the session with the `id`, or all of them where none is named. */
export async function action(args: ActionFunctionArgs) {
  const { accountId, about, id } = await typed(args.request, "accountId", "about", "id");
  const everywhere = about === "everywhere";
  const outcome = await act(args, async (api) => {
    await expectShown(api, accountId);
    return everywhere ? api.account.endAllSessions() : api.account.endSession({ id });
  });
  if (!outcome.done) return again(outcome, { accountId });
  return everywhere ? leave(noted("/login", "logged-out-everywhere")) : redirect(noted("/account/sessions", "session"));
}

type Session = Awaited<ReturnType<typeof loader>>["sessions"][number];

const columns: Column<Session>[] = [
  {
    header: "Device",
    cell: ({ device, current }) => (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {device}
        {current && <Badge tone="success">This browser</Badge>}
      </span>
    ),
  },
  { header: "Address", cell: ({ address }) => <Mono>{address}</Mono> },
  { header: "Last used", cell: ({ lastUsedAt, current }) => (current ? "Now" : <Time at={lastUsedAt} />) },
  { header: "Logged in", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: "Actions",
    align: "right",
    quiet: true,
    cell: ({ id, device, createdAt, current }) =>
      !current && (
        <DialogLink
          aria-label={`End the session of ${device}, logged in ${exactTime(new Date(createdAt))}`}
          dialog="end"
          of={id}
          size="sm"
        >
          End
        </DialogLink>
      ),
  },
];

export default function Sessions() {
  const { sessions } = useLoaderData<typeof loader>();
  const { errors, kept } = useActionData<typeof action>() ?? {};
  const { dialog, id, closeTo } = useDialogParams();
  const hasKeys = useRouteLoaderData<typeof frame>("routes/account")!.home.to === "/console";
  const ending = dialog === "end" ? sessions.find((session) => session.id === id) : undefined;
  const form = { closeTo, errors, fields: <ForThisAccount posted={kept?.accountId} /> };
  return (
    <>
      {!ending && dialog !== "everywhere" && <Refusal errors={errors} />}
      <Panel
        actions={
          <DialogLink dialog="everywhere" size="sm">
            Log out everywhere
          </DialogLink>
        }
        description="A session ends 14 days after its last use, which is kept to the hour, and no later than 30 days after login."
        flush
        title="Where you are logged in"
      >
        <Table caption="Sessions" columns={columns} rowKey={(session) => session.id} rows={sessions} />
      </Panel>
      {ending && (
        <ConfirmDialog
          {...form}
          confirmLabel="End the session"
          title={`End the session of ${ending.device}?`}
          values={{ about: "one", id: ending.id }}
        >
          <p>
            Anyone using it, at the address <Mono>{ending.address}</Mono>, has to log in again. If that was not you,
            change your password as well.
          </p>
        </ConfirmDialog>
      )}
      {dialog === "everywhere" && (
        <ConfirmDialog
          {...form}
          confirmLabel="Log out everywhere"
          title="Log out everywhere?"
          values={{ about: "everywhere" }}
        >
          <p>All your sessions end, including this one.{hasKeys && " Keys keep working."}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
