import type { ReactNode } from "react";
import { grouped } from "~/lib/numbers";
import { NotSought } from "~/ui/empty-state";
import { FilterSelect } from "~/ui/filter-select";
import { Panel } from "~/ui/panel";
import { SearchForm } from "~/ui/search-form";
import { TurnPages } from "~/ui/turn-pages";
import { type CoverageData, CoveredTable, EndedTable } from "./coverage-tables";

interface StoresPanelProps {
  page: CoverageData;
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
}

/** The stores of one view, searched, a page at a time. */
export function StoresPanel({ page, ...heading }: StoresPanelProps) {
  const { previous, next } = page;
  const summary = summaryOf(page);
  const isUnread = Object.keys(page.problems).length > 0;
  return (
    <Panel
      {...heading}
      flush
      footer={
        page.stores.length > 0 &&
        (previous || next ? <TurnPages next={next} previous={previous} summary={summary} /> : summary)
      }
    >
      <Filters page={page} />
      {isUnread ? (
        <NotSought all={allOf(page)} />
      ) : page.view === "ended" ? (
        <EndedTable {...page} />
      ) : (
        <CoveredTable {...page} />
      )}
    </Panel>
  );
}

const allOf = ({ view }: CoverageData) => (view === "ended" ? "?view=ended" : "?");

function summaryOf(page: CoverageData): string {
  const shown = page.stores.length;
  if (page.view === "ended" || page.total === shown) return `${grouped(shown)} ${shown === 1 ? "store" : "stores"}`;
  return `${grouped(shown)} of ${grouped(page.total)} stores`;
}

/** Nothing to search where there is one store, or none. */
function Filters({ page }: { page: CoverageData }) {
  const isAsked = page.query !== "" || page.country !== "";
  if (!isAsked && page.stores.length < 2 && !page.previous && !page.next) return null;
  const countries = page.view === "readable" ? page.countries : [];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-4 py-3 md:px-6">
      <SearchForm
        clearTo={isAsked && allOf(page)}
        error={page.problems.query}
        label="Search by name"
        value={page.query}
      >
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
