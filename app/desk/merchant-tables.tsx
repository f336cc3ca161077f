import { grouped } from "~/lib/numbers";
import type { loader } from "~/routes/admin.merchants.$id._index";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { DialogLink } from "~/ui/dialog-link";
import { LongMono } from "~/ui/mono";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

type Shown = Awaited<ReturnType<typeof loader>>;
type StoreRow = Shown["merchant"]["stores"][number];
type Person = Shown["people"][number];
type Invitation = Shown["invitations"][number];

export function StoresTable({ merchantId, stores }: { merchantId: string; stores: StoreRow[] }) {
  const columns: Column<StoreRow>[] = [
    {
      header: "Store",
      cell: ({ id, name, url, isDemo }) => (
        <span className="flex flex-col">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="wrap-anywhere font-medium">
              <TextLink to={`/admin/merchants/${merchantId}/stores/${id}`}>{name}</TextLink>
            </span>
            {isDemo && <Badge tone="accent">Demo store</Badge>}
          </span>
          <span className="wrap-anywhere text-[0.8125rem] text-muted">{url.replace(/^https?:\/\/|\/$/g, "")}</span>
        </span>
      ),
    },
    { header: "Slug", cell: ({ slug }) => <LongMono>{slug}</LongMono> },
    { header: "Country", cell: ({ country }) => country },
    { header: "Currency", cell: ({ currency }) => currency },
    { header: "Products", align: "right", cell: ({ productCount }) => grouped(productCount) },
    {
      header: "AI Discovery",
      align: "right",
      cell: ({ aiDiscovery }) => <Badge tone={aiDiscovery ? "success" : "neutral"}>{aiDiscovery ? "On" : "Off"}</Badge>,
    },
  ];
  return <Table caption="Stores" columns={columns} rowKey={({ id }) => id} rows={stores} />;
}

const personColumns: Column<Person>[] = [
  {
    header: "Person",
    cell: ({ name, email }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">{name}</span>
        <span className="wrap-anywhere text-[0.8125rem] text-muted">{email}</span>
      </span>
    ),
  },
  {
    header: "Also acts for",
    cell: ({ alsoFor }) =>
      alsoFor.length > 0 ? (
        <span className="wrap-anywhere block min-w-28">{alsoFor.join(", ")}</span>
      ) : (
        <span className="text-faint">No one else</span>
      ),
  },
  { header: "Since", cell: ({ since }) => <Time at={since} /> },
  {
    header: "Actions",
    align: "right",
    quiet: true,
    cell: ({ accountId, name, email }) => (
      <>
        <ButtonLink
          aria-label={`See the history of ${name}`}
          size="sm"
          to={`/admin/audit?${new URLSearchParams({ person: email })}`}
        >
          See history
        </ButtonLink>
        <DialogLink aria-label={`Remove ${name}`} dialog="remove" of={accountId} size="sm">
          Remove
        </DialogLink>
      </>
    ),
  },
];

export const PeopleTable = ({ people }: { people: Person[] }) => (
  <Table caption="People" columns={personColumns} rowKey={({ accountId }) => accountId} rows={people} />
);

const invitationColumns: Column<Invitation>[] = [
  { header: "Address", cell: ({ email }) => <span className="wrap-anywhere font-medium">{email}</span> },
  {
    header: "Sent",
    cell: ({ sentAt, sentBy }) => (
      <span className="flex flex-col cards:items-end">
        <Time at={sentAt} />
        {sentBy && <span className="wrap-anywhere text-[0.8125rem] text-muted">by {sentBy}</span>}
      </span>
    ),
  },
  { header: "Expires", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    header: "State",
    cell: ({ state }) => (state === "expired" ? <Badge>Expired</Badge> : <Badge tone="warning">Pending</Badge>),
  },
  {
    header: "Actions",
    align: "right",
    quiet: true,
    cell: ({ id, email }) => (
      <>
        <DialogLink aria-label={`Send again to ${email}`} dialog="invite" of={id} size="sm">
          Send again
        </DialogLink>
        <DialogLink aria-label={`Withdraw from ${email}`} dialog="withdraw" of={id} size="sm">
          Withdraw
        </DialogLink>
      </>
    ),
  },
];

export const InvitationsTable = ({ invitations }: { invitations: Invitation[] }) => (
  <Table caption="Invitations" columns={invitationColumns} rowKey={({ id }) => id} rows={invitations} />
);
