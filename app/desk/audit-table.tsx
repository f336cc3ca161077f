import type { loader } from "~/routes/admin.audit";
import { cx } from "~/ui/cx";
import { summaryLook } from "~/ui/summary-look";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { Changes } from "./changes";
import { changesOf } from "./record-diff";

type Entry = NonNullable<Awaited<ReturnType<typeof loader>>["found"]>["entries"][number];

/** What somebody was when they acted. */
export const kindNames: Record<string, string> = {
  operator: "Operator",
  member: "Platform's member",
  merchant: "Merchant",
  signed_in: "Person with an account",
  anonymous: "Not logged in",
  consumer: "Platform",
  system: "Service",
};

/** The address of the audit with this filter alone. */
const auditLink = (filter: Record<string, string>) => `/admin/audit?${new URLSearchParams(filter)}`;

/** Where a target has a page of its own. */
function pageOf({ kind, id, slug, merchantId, isGone }: Entry["target"]): string | undefined {
  if (isGone) return undefined;
  if (slug) return kind === "key" ? `/admin/consumers/${slug}/keys` : `/admin/consumers/${slug}`;
  if (kind === "store") return `/admin/merchants/${merchantId}/stores/${id}`;
  if (kind === "merchant") return `/admin/merchants/${id}`;
  if (kind === "terms") return `/admin/terms/${id}`;
  if (kind === "settings") return "/admin/settings";
  return kind === "account" ? auditLink({ person: id }) : undefined;
}

/** By which request, with a link to everything that it did. */
export const requestColumn: Column<{ requestId: string }> = {
  header: "Request",
  align: "right",
  cell: ({ requestId }) => (
    <TextLink title={`Everything of request ${requestId}`} to={auditLink({ requestId })}>
      <code className="whitespace-nowrap font-mono text-[0.8125rem]">…{requestId.slice(-8)}</code>
    </TextLink>
  ),
};

const columns: Column<Entry>[] = [
  { header: "Action", cell: (entry) => <Act of={entry} /> },
  {
    header: "As",
    cell: ({ actor }) => (
      <span className="flex min-w-34 flex-col cards:items-end xl:min-w-48 xl:folded:min-w-0">
        <span className="whitespace-nowrap">{kindNames[actor.kind] ?? actor.kind}</span>
        {actor.email && <span className="wrap-anywhere text-[0.8125rem] text-muted">{actor.email}</span>}
      </span>
    ),
  },
  { header: "When", cell: ({ at }) => <Time at={at} /> },
  requestColumn,
];

export const AuditTable = ({ entries }: { entries: Entry[] }) => (
  <Table caption="Actions, newest first" columns={columns} rowKey={({ id }) => id} rows={entries} />
);

function Act({ of: { actor, words, target, before, after } }: { of: Entry }) {
  const [start = "", end] = words.split("{target}");
  const page = pageOf(target);
  const changes = changesOf(before, after).length;
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1.5 py-1 font-normal">
      <p className="wrap-anywhere text-pretty leading-5">
        <Actor of={actor} /> {start}
        {end !== undefined && (
          <>
            {page ? <TextLink to={page}>{target.name}</TextLink> : <span className="text-muted">{target.name}</span>}
            {end}
          </>
        )}
      </p>
      {changes > 0 && (
        <details className="open:basis-full">
          <summary className={cx(summaryLook, "text-muted")}>Details</summary>
          <div className="max-w-3xl pt-2">
            <Changes after={after} before={before} />
          </div>
        </details>
      )}
    </div>
  );
}

function Actor({ of: { kind, id, name } }: { of: Entry["actor"] }) {
  if (id === null || kind === "consumer") return <span className="font-medium">{name}</span>;
  return (
    <span className="font-medium">
      <TextLink title={`Everything that ${name} did`} to={auditLink({ person: id })}>
        {name}
      </TextLink>
    </span>
  );
}
