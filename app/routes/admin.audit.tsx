// The audit: every act of every role, newest first; what is looked for stands in the address.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Download, History, SearchX } from "lucide-react";
import { AuditFilters, filterIn, filterNames } from "~/desk/audit-filters";
import { AuditTable } from "~/desk/audit-table";
import { load, paged, sought } from "~/lib/api.server";
import { listParams } from "~/lib/list-params.server";
import { exactTime } from "~/lib/relative-time";
import { ButtonLink } from "~/ui/button";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Audit · Aisle" }];
export const handle = { crumb: "Audit" };

export async function loader(args: LoaderFunctionArgs) {
  const { params, cursor } = listParams(args.request);
  const filter = filterIn(params);
  const [vocabulary, looked] = await load(args, (api) => {
    type Input = Parameters<typeof api.audit.list>[0];
    const read = (at: string | undefined) => api.audit.list({ ...filter, cursor: at } as Input);
    return Promise.all([api.audit.vocabulary(), sought(args, filterNames, paged(args, cursor, read))]);
  });
  return { filter, vocabulary, ...looked };
}

type Found = NonNullable<Awaited<ReturnType<typeof loader>>["found"]>;

export default function Audit() {
  const { filter, vocabulary, found, problems } = useLoaderData<typeof loader>();
  const search = new URLSearchParams(filter);
  return (
    <>
      <PageHeader
        actions={
          found && (
            <ButtonLink
              icon={<Download aria-hidden />}
              prefetch="none"
              reloadDocument
              to={`/admin/audit.csv?${search}`}
            >
              Export as CSV
            </ButtonLink>
          )
        }
        description="Every action by every role. Entries can be added but never changed: the database itself refuses."
        title="Audit"
      />
      <Panel>
        <AuditFilters errors={problems} filter={filter} vocabulary={vocabulary} />
      </Panel>
      {found ? (
        <Acts {...found} search={search} />
      ) : (
        <Panel flush>
          <NotSought all="/admin/audit" />
        </Panel>
      )}
    </>
  );
}

function Acts({ entries, previous, next, isAnew, search }: Found & { search: URLSearchParams }) {
  const isFiltered = search.size > 0;
  return (
    <>
      {isAnew && <BackAtStart />}
      <Panel
        flush
        footer={
          (previous || next) && (
            <TurnPages
              next={next}
              previous={previous}
              summary={`${exactTime(new Date(entries.at(-1)!.at))} to ${exactTime(new Date(entries[0]!.at))}`}
            />
          )
        }
      >
        {entries.length > 0 ? (
          <AuditTable entries={entries} />
        ) : (
          <EmptyState
            action={isFiltered && <ButtonLink to="/admin/audit">Show all</ButtonLink>}
            icon={isFiltered ? SearchX : History}
            title={isFiltered ? "Nothing found" : "Nothing on record yet"}
          >
            {isFiltered
              ? "Nothing matches all of the filters. People who deleted their account can be found by id, but not by address."
              : "What people and platforms do is listed here."}
          </EmptyState>
        )}
      </Panel>
    </>
  );
}
