// Where a person has access, and giving it up (decision 0061).
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { DoorOpen } from "lucide-react";
import { expectShown } from "~/account/expect-shown.server";
import { noted } from "~/account/notes";
import { ForThisAccount } from "~/account/this-account";
import { Ends, roles } from "~/console/members-table";
import { act, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { again, typed } from "~/lib/form.server";
import { ButtonLink } from "~/ui/button";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { SupportLink } from "~/ui/support";
import { type Column, Table } from "~/ui/table";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Access · Aisle" }];
export const handle = { crumb: "Access" };
export const shouldRevalidate = keepDataForDialog;

/** Leaving does to each of them what deleting the account would; the last owner cannot. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { consumers, merchants, operator } = await load(args, (api) => api.account.deletionEffects());
  return { platforms: consumers, merchants, isOperator: operator !== null };
};

export async function action(args: ActionFunctionArgs) {
  const fields = ["accountId", "place", "id", "grantedAt", "last"] as const;
  const { accountId, place, id, grantedAt, last } = await typed(args.request, ...fields);
  const outcome = await act(args, async (api) => {
    await expectShown(api, accountId);
    switch (place) {
      case "platform":
        return api.account.leavePlatform({ consumerId: id, grantedAt: grantedAt || undefined });
      case "merchant":
        return api.account.leaveMerchant({ merchantId: id, last: last ? last === "true" : undefined });
      default:
        throw data({ message: "The form did not say what to leave." }, { status: 400 });
    }
  });
  return outcome.done ? redirect(noted("/account/access", "left")) : again(outcome, { accountId });
}

type Loaded = Awaited<ReturnType<typeof loader>>;
type Platform = Loaded["platforms"][number];
type Merchant = Loaded["merchants"][number];

const isLastOwner = ({ effect }: Platform) => effect === "access_revoked";

const Name = ({ children }: { children: string }) => <span className="wrap-anywhere font-medium">{children}</span>;
const Leave = ({ place, id, name }: { place: string; id: string; name: string }) => (
  <DialogLink aria-label={`Leave ${name}`} dialog={place} of={id} size="sm">
    Leave
  </DialogLink>
);

const platformColumns: Column<Platform>[] = [
  { header: "Platform", cell: ({ name }) => <Name>{name}</Name> },
  { header: "Role", cell: ({ role }) => roles[role] },
  { header: "Ends", cell: (platform) => <Ends {...platform} /> },
  {
    header: "Actions",
    align: "right",
    quiet: true,
    cell: (platform) =>
      isLastOwner(platform) ? (
        <span className="text-muted">You are the last owner</span>
      ) : (
        <Leave {...platform} place="platform" />
      ),
  },
];
const merchantColumns: Column<Merchant>[] = [
  { header: "Merchant", cell: ({ name }) => <Name>{name}</Name> },
  { header: "Actions", align: "right", quiet: true, cell: (merchant) => <Leave {...merchant} place="merchant" /> },
];

export default function Access() {
  const { platforms, merchants, isOperator } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>()?.errors;
  const dialog = useDialog();
  return (
    <>
      {!dialog && <Refusal errors={refused} />}
      {platforms.length > 0 && (
        <Panel
          description="You see their keys, usage and coverage. Operators add people and change roles."
          flush
          footer={platforms.some(isLastOwner) && <AtLeastOneOwner />}
          title="Platforms you work for"
        >
          <Table caption="Platforms" columns={platformColumns} rowKey={({ id }) => id} rows={platforms} />
        </Panel>
      )}
      {merchants.length > 0 && (
        <Panel
          description="You manage their stores, and decide which AI agents may read them."
          flush
          title="Merchants you act for"
        >
          <Table caption="Merchants" columns={merchantColumns} rowKey={({ id }) => id} rows={merchants} />
        </Panel>
      )}
      {platforms.length + merchants.length === 0 && (
        <Panel flush>
          <EmptyState
            action={!isOperator && <ButtonLink to="/apply">Apply for access</ButtonLink>}
            icon={DoorOpen}
            title="No access yet"
          >
            {isOperator
              ? "You are an operator. Operators are made and removed on the command line."
              : "A platform is listed here once its application is approved, a merchant once you accept its invitation."}
          </EmptyState>
        </Panel>
      )}
      {dialog}
    </>
  );
}

const AtLeastOneOwner = () => (
  <span>
    A platform keeps at least one owner. Before you leave as the last,{" "}
    <SupportLink letter={{ subject: "Another owner for a platform" }}>ask an operator</SupportLink> to make someone else
    an owner.
  </span>
);

function useDialog() {
  const { platforms, merchants } = useLoaderData<typeof loader>();
  const { errors, kept } = useActionData<typeof action>() ?? {};
  const { dialog, id, closeTo } = useDialogParams();
  const platform = dialog === "platform" ? platforms.find((one) => one.id === id && !isLastOwner(one)) : undefined;
  const merchant = dialog === "merchant" ? merchants.find((one) => one.id === id) : undefined;
  const place = platform ?? merchant;
  if (!place) return null;
  const shown: Record<string, string> = platform
    ? { place: "platform", grantedAt: new Date(platform.grantedAt).toISOString() }
    : { place: "merchant", last: String(merchant?.last) };
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Leave"
      errors={errors}
      fields={<ForThisAccount posted={kept?.accountId} />}
      title={`Leave “${place.name}”?`}
      values={{ ...shown, id: place.id }}
    >
      <p>
        {platform?.hasEnded
          ? "Your access has ended already: it goes from this list. Only an operator can renew it, or add you again."
          : "You lose access from your next request. Only an operator can give it back."}
      </p>
      {platform?.role === "owner" && (
        <p>{platform.keys > 0 && "Keys that you issued keep working. "}The other owners are told that one is gone.</p>
      )}
      {merchant?.last && (
        <p>No one is left to manage its stores until an operator adds someone. AI agents read them as before.</p>
      )}
    </ConfirmDialog>
  );
}
