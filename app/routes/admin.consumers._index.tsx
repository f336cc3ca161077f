// Consumers: searched, narrowed, by name.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { CircleGauge } from "lucide-react";
import { coverages } from "~/admin/access-fields";
import { StateBadge, states } from "~/admin/state-badge";
import { load, paged, sought } from "~/lib/api.server";
import { listParams } from "~/lib/list-params.server";
import { grouped } from "~/lib/numbers";
import { ButtonLink } from "~/ui/button";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { FilterSelect } from "~/ui/filter-select";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { SearchForm } from "~/ui/search-form";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Consumers · Aisle" }];

export async function loader(args: LoaderFunctionArgs) {
  const { cursor, params } = listParams(args.request);
  const text = (name: string) => params.get(name)?.trim() || undefined;
  const filter = { query: text("q"), state: text("state"), coverage: text("coverage") };
  const looked = await load(args, (api) => {
    // What the address says is checked by the procedure.
    type Input = Parameters<typeof api.consumers.find>[0];
    const read = (at: string | undefined) => api.consumers.find({ ...filter, cursor: at } as Input);
    return sought(args, ["query", "state", "coverage"], paged(args, cursor, read));
  });
  return { ...looked, ...filter };
}

type Found = NonNullable<Awaited<ReturnType<typeof loader>>["found"]>;

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
        <span className="whitespace-nowrap text-faint">
          {state === "under_review" || state === "revoked" ? "None" : "Demo store"}
        </span>
      ),
  },
  { header: "Requests/min", align: "right", cell: ({ rateLimit }) => grouped(rateLimit) },
  { header: "Key last used", align: "right", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
];

export default function Consumers() {
  const { found, problems, query, state, coverage } = useLoaderData<typeof loader>();
  const isNarrowed = Boolean(query || state || coverage);
  return (
    <>
      <PageHeader description="Every platform that applied, with its access and limits." title="Consumers" />
      <SearchForm
        clearTo={isNarrowed && "/admin/consumers"}
        error={problems.query}
        label="Search consumers"
        placeholder="Name, slug, company or email"
        value={query}
      >
        <FilterSelect
          all="Every state"
          error={problems.state}
          label="State"
          name="state"
          options={states}
          value={state}
        />
        <FilterSelect
          all="Every coverage"
          error={problems.coverage}
          label="Coverage"
          name="coverage"
          options={coverages}
          value={coverage}
        />
      </SearchForm>
      {found ? (
        <List {...found} isNarrowed={isNarrowed} />
      ) : (
        <Panel flush>
          <NotSought all="/admin/consumers" />
        </Panel>
      )}
    </>
  );
}

function List({ consumers, total, previous, next, isAnew, isNarrowed }: Found & { isNarrowed: boolean }) {
  const summary = total === null ? "More than 10,000" : `${grouped(total)} ${total === 1 ? "consumer" : "consumers"}`;
  return (
    <>
      {isAnew && <BackAtStart />}
      <Panel flush footer={consumers.length > 0 && <TurnPages next={next} previous={previous} summary={summary} />}>
        {consumers.length > 0 ? (
          <Table caption="Consumers" columns={columns} rowKey={({ id }) => id} rows={consumers} />
        ) : (
          <EmptyState
            action={isNarrowed && <ButtonLink to="/admin/consumers">Show all</ButtonLink>}
            icon={CircleGauge}
            title={isNarrowed ? "No consumers match" : "No consumers yet"}
          >
            {isNarrowed
              ? "Search for part of a name, slug, company or email, or remove a filter."
              : "Each application for access creates one, listed here."}
          </EmptyState>
        )}
      </Panel>
    </>
  );
}
