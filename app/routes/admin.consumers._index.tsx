// Consumers: searched, narrowed, by name.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { CircleGauge } from "lucide-react";
import { StateBadge, states } from "~/admin/state-badge";
import { load } from "~/lib/api.server";
import { grouped } from "~/lib/numbers";
import { cursorOf, steps } from "~/lib/walk";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { FilterSelect } from "~/ui/filter-select";
import { PageHeader } from "~/ui/page-header";
import { Pagination } from "~/ui/pagination";
import { Panel } from "~/ui/panel";
import { SearchForm } from "~/ui/search-form";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Consumers · Aisle" }];

const coverages = [
  { value: "default_on", label: "On by default" },
  { value: "explicit", label: "Explicit" },
] as const;

export async function loader(args: LoaderFunctionArgs) {
  const params = new URL(args.request.url).searchParams;
  const one = <Value extends string>(name: string, of: readonly { value: Value }[]) =>
    of.find(({ value }) => value === params.get(name))?.value;
  const filter = {
    query: params.get("q")?.trim().slice(0, 200) || undefined,
    state: one("state", states),
    coverage: one("coverage", coverages),
  };
  const found = await load(args, (api) => api.consumers.find({ ...filter, cursor: cursorOf(args.request) }));
  return { ...found, ...filter };
}

type Found = Awaited<ReturnType<typeof loader>>;

const columns: Column<Found["consumers"][number]>[] = [
  {
    header: "Consumer",
    cell: ({ slug, name }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">
          <TextLink to={`/admin/consumers/${slug}`}>{name}</TextLink>
        </span>
        <span className="wrap-anywhere font-mono text-muted text-xs">{slug}</span>
      </span>
    ),
  },
  {
    header: "Company",
    cell: ({ company }) => <span className="wrap-anywhere">{company ?? <span className="text-faint">–</span>}</span>,
  },
  { header: "State", cell: (consumer) => <StateBadge of={consumer} /> },
  {
    header: "Coverage",
    cell: ({ coverage, state }) =>
      state === "production" ? (
        <span className="whitespace-nowrap">{coverages.find(({ value }) => value === coverage)!.label}</span>
      ) : (
        <span className="whitespace-nowrap text-faint">Demo store</span>
      ),
  },
  { header: "Requests/min", align: "right", cell: ({ rateLimit }) => grouped(rateLimit) },
  { header: "Key last used", align: "right", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];

export default function Consumers() {
  const { consumers, total, nextCursor, query, state, coverage } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const isNarrowed = Boolean(query || state || coverage);
  const summary = total === null ? "More than 10,000" : `${grouped(total)} ${total === 1 ? "consumer" : "consumers"}`;
  return (
    <>
      <PageHeader description="Every platform that applied, with its access and limits." title="Consumers" />
      <SearchForm label="Search consumers" placeholder="Name, slug, company or email" value={query}>
        <FilterSelect all="Every state" label="State" name="state" options={states} value={state} />
        <FilterSelect all="Every coverage" label="Coverage" name="coverage" options={[...coverages]} value={coverage} />
      </SearchForm>
      <Panel flush footer={consumers.length > 0 && <Pagination summary={summary} {...steps(params, nextCursor)} />}>
        {consumers.length > 0 ? (
          <Table caption="Consumers" columns={columns} rowKey={({ id }) => id} rows={consumers} />
        ) : (
          <EmptyState
            action={isNarrowed && <ButtonLink to="/admin/consumers">Show all</ButtonLink>}
            icon={CircleGauge}
            title={isNarrowed ? "No consumers match" : "No consumers yet"}
          >
            {isNarrowed
              ? "Search for a part of a name, slug, company or email, or drop a filter."
              : "Each application for access makes one, and is listed here."}
          </EmptyState>
        )}
      </Panel>
    </>
  );
}
