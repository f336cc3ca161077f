// One merchant: its stores, its people, and who was invited.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Mail, Pencil, Plus, Store, UserPlus, Users } from "lucide-react";
import { LocalMailHint } from "~/account/local-mail-hint";
import { AddPersonDialog, InviteDialog, NameDialog, RemovePersonDialog, WithdrawDialog } from "~/desk/merchant-dialogs";
import { InvitationsTable, PeopleTable, StoresTable } from "~/desk/merchant-tables";
import { type Note, noted, notes } from "~/desk/notes";
import { act, load } from "~/lib/api.server";
import { countryName } from "~/lib/country-name.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, noIntent, typed } from "~/lib/form.server";
import { ButtonLink } from "~/ui/button";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.merchant.name ?? "Merchant"} · Aisle` },
];
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const id = args.params.id!;
    const [merchant, people, invitations] = await Promise.all([
      api.merchants.get({ id }),
      api.merchants.people({ merchantId: id }),
      api.merchants.invitations({ merchantId: id }),
    ]);
    const stores = merchant.stores.map((store) => ({ ...store, country: countryName(store.country) }));
    return {
      merchant: { ...merchant, stores },
      people,
      invitations,
      hasLocalMail: args.context.localMail !== undefined,
    };
  });

/** Five forms: `intent` says which. */
export async function action(args: ActionFunctionArgs) {
  const merchantId = args.params.id!;
  const form = await typed(args.request, "intent", "name", "email", "accountId", "last", "id", "shown");
  const { intent, name, email, accountId, last, id, shown } = form;
  const here = `/admin/merchants/${merchantId}`;
  const done = async (note: Note, run: Parameters<typeof act>[1]) => {
    const outcome = await act(args, run);
    return outcome.done ? redirect(noted(here, note)) : again(outcome, { name, email, shown });
  };
  switch (intent) {
    case "name":
      return done("merchant-renamed", (api) => api.merchants.rename({ id: merchantId, name, shown }));
    case "add":
      return done("person-added", (api) => api.merchants.addPerson({ merchantId, email }));
    case "remove":
      return done("person-removed", (api) =>
        api.merchants.removePerson({ merchantId, accountId, last: last ? last === "true" : undefined }),
      );
    case "invite":
      return done("invited", (api) => api.merchants.invite({ merchantId, email }));
    case "withdraw":
      return done("invitation-withdrawn", (api) => api.merchants.withdrawInvitation({ merchantId, id }));
    default:
      throw noIntent();
  }
}

export default function Merchant() {
  const { merchant, people, invitations, hasLocalMail } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const dialog = useDialog();
  const newStore = (
    <ButtonLink icon={<Plus aria-hidden />} to={`/admin/merchants/${merchant.id}/stores/new`} variant="primary">
      New store
    </ButtonLink>
  );
  const add = (
    <DialogLink dialog="add" icon={<UserPlus aria-hidden />} size="sm">
      Add a person
    </DialogLink>
  );
  const invite = (
    <DialogLink dialog="invite" icon={<Mail aria-hidden />} size="sm">
      Invite by email
    </DialogLink>
  );
  return (
    <>
      <PageHeader
        actions={
          <>
            <DialogLink dialog="rename" icon={<Pencil aria-hidden />}>
              Rename
            </DialogLink>
            {merchant.stores.length > 0 && newStore}
          </>
        }
        description={
          <>
            Added <Time at={merchant.createdAt} />.{" "}
            <TextLink to={`/admin/audit?targetId=${merchant.id}`}>See its history</TextLink>
          </>
        }
        title={merchant.name}
      />
      {!answer && <DoneNote notes={notes} />}
      {!dialog && <Refusal errors={answer?.errors} />}
      <Panel description="Agents can read a store while its merchant has AI Discovery on." flush title="Stores">
        {merchant.stores.length > 0 ? (
          <StoresTable merchantId={merchant.id} stores={merchant.stores} />
        ) : (
          <EmptyState action={newStore} icon={Store} title="No store yet">
            A store has an address, a country and a currency. Its catalogue comes later, from the merchant or the
            command line.
          </EmptyState>
        )}
      </Panel>
      <Panel
        actions={
          people.length > 0 && (
            <>
              {add} {invite}
            </>
          )
        }
        description="They load the catalogue and decide which platforms may read it."
        flush
        title="People"
      >
        {people.length > 0 ? (
          <PeopleTable people={people} />
        ) : (
          <EmptyState
            action={
              <div className="flex gap-2">
                {add} {invite}
              </div>
            }
            icon={Users}
            title="No one acts for it yet"
          >
            Add someone who has an account, or invite them by email.
          </EmptyState>
        )}
      </Panel>
      {invitations.length > 0 && (
        <Panel
          description="The link works once, for 7 days, for the account with this address."
          flush
          title="Invitations"
        >
          {hasLocalMail && (
            <div className="border-line border-b p-4 md:px-6">
              <LocalMailHint />
            </div>
          )}
          <InvitationsTable invitations={invitations} />
        </Panel>
      )}
      {dialog}
    </>
  );
}

/** What the address opens. */
function useDialog() {
  const { merchant, people, invitations } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  const asked = { closeTo, errors: answer?.errors };
  const person = people.find(({ accountId }) => accountId === id);
  const invitation = invitations.find((one) => one.id === id);
  if (dialog === "rename") {
    const of = { newest: merchant.version, posted: answer?.kept.shown };
    const name = answer?.kept.name ?? merchant.name;
    return <NameDialog {...asked} label="Rename" name={name} of={of} title="Rename the merchant" />;
  }
  if (dialog === "add") return <AddPersonDialog {...asked} email={answer?.kept.email} merchant={merchant.name} />;
  if (dialog === "invite") {
    return <InviteDialog {...asked} email={answer?.kept.email ?? invitation?.email} merchant={merchant.name} />;
  }
  if (dialog === "remove" && person) {
    return <RemovePersonDialog {...asked} isLast={people.length === 1} merchant={merchant.name} person={person} />;
  }
  if (dialog === "withdraw" && invitation) return <WithdrawDialog {...asked} invitation={invitation} />;
  return null;
}
