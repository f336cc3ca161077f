// Who works for a consumer: operators add, renew, remove, and change roles.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { UserPlus } from "lucide-react";
import { useConsumer } from "~/admin/consumer";
import { AddDialog, RemoveDialog, RenewDialog, RoleDialog } from "~/admin/member-dialogs";
import { isLastOwner, MembersTable } from "~/console/members-table";
import { act, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, noIntent, typed } from "~/lib/form.server";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote, type Notes } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `Members of ${params.slug} · Aisle` }];
export const handle = { crumb: "Members" };
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return { members: await api.consumers.members({ consumerId: id }) };
  });

const notes = {
  add: ["Added", "They have been told by email."],
  renew: ["Access has been renewed", "They have been told by email."],
  role: ["The role has been changed", "They have been told by email."],
  remove: ["Removed", "They lose access from their next request."],
} as const satisfies Notes;

export async function action(args: ActionFunctionArgs) {
  const form = await typed(args.request, "intent", "email", "role", "lastDay", "id", "grantedAt");
  const slug = String(args.params.slug);
  const outcome = await act(args, async (api) => {
    const { id: consumerId } = await api.consumers.get({ slug });
    const shown = { consumerId, accountId: form.id, grantedAt: form.grantedAt };
    const lastDay = form.lastDay || null;
    const role = form.role as Parameters<typeof api.consumers.addMember>[0]["role"];
    // The field of it is hidden where another role is chosen, whatever was typed before.
    const ofReviewer = role === "reviewer" ? lastDay : null;
    switch (form.intent) {
      case "add":
        return api.consumers.addMember({ consumerId, email: form.email, role, lastDay: ofReviewer });
      case "role":
        return api.consumers.changeMemberRole({ ...shown, role, lastDay: ofReviewer });
      case "renew":
        return api.consumers.renewMember({ ...shown, lastDay });
      case "remove":
        return api.consumers.removeMember({ ...shown, grantedAt: form.grantedAt || undefined });
      default:
        throw noIntent();
    }
  });
  return outcome.done ? redirect(`/admin/consumers/${slug}/members?done=${form.intent}`) : again(outcome, form);
}

export default function Members() {
  const { members } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const dialog = useDialog();
  const addButton = (
    <DialogLink dialog="add" icon={<UserPlus aria-hidden />} size="sm">
      Add a member
    </DialogLink>
  );
  return (
    <>
      {!refused && <DoneNote notes={notes} />}
      {!dialog && <Refusal errors={refused?.errors} />}
      <Panel
        actions={members.length > 0 && addButton}
        description="Owners manage keys, terms and production access. Developers and reviewers can read and use the Playground, reviewers until their last day."
        flush
        title="Members"
      >
        {members.length > 0 ? (
          <MembersTable may="manage" members={members} />
        ) : (
          <EmptyState action={addButton} icon={UserPlus} title="No members">
            Without an owner, no one can issue keys, and revoked access cannot be restored.
          </EmptyState>
        )}
      </Panel>
      {dialog}
    </>
  );
}

function useDialog() {
  const { members } = useLoaderData<typeof loader>();
  const { name } = useConsumer();
  const refused = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  const member = members.find(({ accountId }) => accountId === id);
  const errors = refused?.errors;
  if (dialog === "add") return <AddDialog closeTo={closeTo} errors={errors} kept={refused?.kept} of={name} />;
  if (dialog === "renew" && member?.role === "reviewer")
    return <RenewDialog closeTo={closeTo} errors={errors} kept={refused?.kept} member={member} />;
  // Nothing is to be done to the last owner: an address that was typed, or is of before, opens nothing.
  if (!member || isLastOwner(member, members)) return null;
  if (dialog === "role") return <RoleDialog closeTo={closeTo} errors={errors} kept={refused?.kept} member={member} />;
  if (dialog === "remove") return <RemoveDialog closeTo={closeTo} errors={errors} member={member} of={name} />;
  return null;
}
