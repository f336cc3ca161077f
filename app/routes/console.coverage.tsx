// Coverage: which stores the tools answer on, why each, since when; and which ended of late.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { coveragePage } from "~/console/coverage.server";
import { CoverageNotice, reachOf } from "~/console/coverage-notice";
import { CoveredTable, EndedTable } from "~/console/coverage-tables";
import { useCurrent } from "~/console/current";
import { load } from "~/lib/api.server";
import { grouped } from "~/lib/numbers";
import { NotSought } from "~/ui/empty-state";
import { FilterSelect } from "~/ui/filter-select";
import { PageHeader } from "~/ui/page-header";
import { BackAtStart, Pagination } from "~/ui/pagination";
import { Panel } from "~/ui/panel";
import { SearchForm } from "~/ui/search-form";
import { Tabs } from "~/ui/tabs";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Coverage · Aisle" }];
export const handle = { crumb: "Coverage" };

export const loader = (args: LoaderFunctionArgs) => load(args, (api) => coveragePage(args, api));

export default function Coverage() {
  const page = useLoaderData<typeof loader>();
  const { name } = useCurrent();
  const isEnded = page.view === "ended";
  const { previous, next } = page;
  const isUnread = Object.keys(page.problems).length > 0;
  return (
    <>
      <PageHeader description={reachOf(page, name)} title="Coverage" />
      <CoverageNotice {...page} />
      <Tabs
        label="Stores"
        tabs={[
          { label: "Readable", to: "?", current: !isEnded },
          { label: "Ended in the last 30 days", to: "?view=ended", current: isEnded },
        ]}
      />
      {page.isAnew && <BackAtStart />}
      <Panel flush footer={page.stores.length > 0 && (previous || next ? <Pages {...page} /> : summaryOf(page))}>
        <Filters />
        {isUnread ? (
          <NotSought all={isEnded ? "?view=ended" : "?"} />
        ) : page.view === "ended" ? (
          <EndedTable {...page} />
        ) : (
          <CoveredTable {...page} />
        )}
      </Panel>
    </>
  );
}

type Page = Awaited<ReturnType<typeof loader>>;

function summaryOf(page: Page): string {
  const shown = page.stores.length;
  if (page.view === "ended" || page.total === shown) return `${grouped(shown)} ${shown === 1 ? "store" : "stores"}`;
  return `${grouped(shown)} of ${grouped(page.total)} stores`;
}

function Pages(page: Page) {
  const link = (cursor: string | undefined) => cursor && addressOf({ ...page, cursor });
  return <Pagination next={link(page.next)} previous={link(page.previous)} summary={summaryOf(page)} />;
}

function addressOf({ view, query, country, cursor }: Pick<Page, "view" | "query" | "country"> & { cursor: string }) {
  const given = { view: view === "ended" ? view : "", q: query, country, cursor };
  return `?${new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ""))}`;
}

/** Nothing to search where there is one store, or none. */
function Filters() {
  const page = useLoaderData<typeof loader>();
  const isAsked = page.query !== "" || page.country !== "";
  if (!isAsked && page.stores.length < 2) return null;
  const countries = page.view === "readable" ? page.countries : [];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-4 py-3 md:px-6">
      <SearchForm error={page.problems.query} label="Search by name" value={page.query}>
        {page.view === "ended" && <input name="view" type="hidden" value="ended" />}
        {(countries.length > 1 || page.country !== "") && (
          <FilterSelect
            all="All countries"
            error={page.problems.country}
            label="Country"
            name="country"
            options={countries.map(({ code, name, count }) => ({
              value: code,
              label: `${name} (${grouped(count)})`,
            }))}
            value={page.country}
          />
        )}
      </SearchForm>
      {page.view === "ended" && (
        <p className="text-[0.8125rem] text-muted">
          Calls that name one of these are answered with store_not_available.
        </p>
      )}
    </div>
  );
}
