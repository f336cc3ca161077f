import { SearchX, Store } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { LongMono } from "~/ui/mono";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";
import type { Tone } from "~/ui/tone";
import type { coveragePage } from "./coverage.server";

export type CoverageData = Awaited<ReturnType<typeof coveragePage>>;
type Readable = Extract<CoverageData, { view: "readable" }>;
type Ended = Extract<CoverageData, { view: "ended" }>;
type Covered = Readable["stores"][number];

const reasons: Record<Covered["reason"], [label: string, tone: Tone]> = {
  demo: ["Demo store", "neutral"],
  default_on: ["Default-on", "accent"],
  granted: ["Granted", "success"],
};

const columns: Column<Covered>[] = [
  {
    header: "Store",
    cell: ({ id, name }) => (
      <span className="flex min-w-72 flex-col gap-0.5 folded:min-w-0">
        <span className="wrap-anywhere font-medium">{name}</span>
        <LongMono>{id}</LongMono>
      </span>
    ),
  },
  {
    header: "Why",
    cell: ({ reason }) => {
      const [label, tone] = reasons[reason];
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  { header: "Country", cell: ({ country }) => country },
  { header: "Categories", cell: ({ categories }) => <Categories of={categories} /> },
  { header: "Products", align: "right", cell: ({ productCount }) => grouped(productCount) },
  { header: "Since", align: "right", cell: ({ since }) => <Time at={since} /> },
];

/** The stores that can be read, or why there is none. */
export function CoveredTable(page: Readable) {
  if (page.stores.length > 0) {
    return <Table caption="Readable stores" columns={columns} rowKey={({ id }) => id} rows={page.stores} />;
  }
  if (page.query !== "" || page.country !== "") return <NoMatch to="?" />;
  return (
    <EmptyState icon={Store} title="No readable store">
      {nothing(page)}
    </EmptyState>
  );
}

function nothing({ state, mode, hasDemoStore }: Readable): string {
  if (state === "under_review")
    return `${hasDemoStore ? "The demo store is" : "Stores are"} listed here as soon as an operator approves the application.`;
  if (state === "revoked") return "None can be read unless an operator restores access.";
  if (state !== "production") return "This installation has no demo store.";
  return mode === "explicit"
    ? "A store is listed here as soon as its merchant grants access."
    : "A store is listed here as soon as its merchant has AI Discovery on.";
}

const endedColumns: Column<Ended["stores"][number]>[] = [
  { header: "Store", cell: ({ name }) => <span className="wrap-anywhere font-medium">{name}</span> },
  { header: "Country", cell: ({ country }) => country },
  { header: "Ended", align: "right", cell: ({ endedAt }) => <Time at={endedAt} /> },
];

/** The stores that could be read a while ago; why not any more is not told. */
export function EndedTable({ stores, query, country }: Ended) {
  if (stores.length > 0) {
    return <Table caption="Ended stores" columns={endedColumns} rowKey={({ id }) => id} rows={stores} />;
  }
  if (query !== "" || country !== "") return <NoMatch to="?view=ended" />;
  return (
    <EmptyState icon={Store} title="No ended stores">
      A store that can no longer be read is listed here for 30 days. Calls that name it are answered with
      store_not_available.
    </EmptyState>
  );
}

const NoMatch = ({ to }: { to: string }) => (
  <EmptyState action={<ButtonLink to={to}>Show all</ButtonLink>} icon={SearchX} title="No store matches">
    The search matches any part of a store's name.
  </EmptyState>
);

const SHOWN = 3;

function Categories({ of }: { of: string[] }) {
  if (of.length === 0) return <span className="text-faint">–</span>;
  const more = of.length - SHOWN;
  return (
    <span title={more > 0 ? of.join(", ") : undefined}>
      {of.slice(0, SHOWN).join(", ")}
      {more > 0 && <span className="text-faint"> +{more}</span>}
    </span>
  );
}
