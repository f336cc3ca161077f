// The report of one load: what came, what was refused and why, row by row.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useParams, useSearchParams } from "@remix-run/react";
import { ArrowLeft, CircleCheck, History } from "lucide-react";
import { load } from "~/lib/api.server";
import { errorTitle } from "~/lib/error-title";
import { useLookAgain } from "~/lib/look-again";
import { duration, grouped } from "~/lib/numbers";
import { catalogueOf, formats, isUnderWay, type Load, originOf } from "~/merchant/catalogue";
import { BadRowsButton, Figures } from "~/merchant/current-panel";
import { LoadProgress } from "~/merchant/load-progress";
import { OutcomeBadge } from "~/merchant/outcome-badge";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Facts } from "~/ui/facts";
import { Mono } from "~/ui/mono";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { RouteError } from "~/ui/route-error";
import { type Column, Table } from "~/ui/table";
import { Tabs } from "~/ui/tabs";
import { Time } from "~/ui/time";

/** Below the store's catalogue by its address, and not as a route. */
export function ErrorBoundary() {
  return <RouteError list={{ to: catalogueOf(useParams().storeId!), label: "the store's catalogue" }} />;
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.load.fileName} · Catalogue · Aisle` : errorTitle(error) },
];
export const handle = {
  crumb: ({ storeName, load }: Awaited<ReturnType<typeof loader>>) => `${storeName}: ${load.fileName}`,
};

/** Of each kind; all bad rows are a file to download. */
const SHOWN = 200;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [storeId, loadId] = [args.params.storeId!, args.params.loadId!];
    const { issues, ...report } = await api.catalogue.report({ storeId, loadId });
    // Why the whole file was refused stands above them.
    const { refusal } = report.load;
    const others = issues.filter(({ line, reason }) => line > 0 || reason !== refusal);
    const some = (kind: "error" | "warning") => others.filter(({ severity }) => severity === kind).slice(0, SHOWN);
    const isForgotten = others.length === 0 && report.load.rejected + report.load.warnings > 0;
    return { ...report, storeId, isForgotten, errors: some("error"), warnings: some("warning") };
  });

type Issue = Awaited<ReturnType<typeof loader>>["errors"][number];

export default function ReportPage() {
  const { load, storeId, storeName, errors, warnings, isForgotten } = useLoaderData<typeof loader>();
  const isStored = load.outcome === "loaded";
  useLookAgain(isUnderWay(load) ? 1_000 : null);
  return (
    <>
      <PageHeader
        actions={
          <ButtonLink icon={<ArrowLeft aria-hidden />} to={catalogueOf(storeId)}>
            Back to the catalogue
          </ButtonLink>
        }
        badge={<OutcomeBadge outcome={load.outcome} />}
        description={`A load of ${storeName}'s catalogue.`}
        title={load.fileName}
      />
      {isUnderWay(load) ? (
        <LoadProgress load={load} />
      ) : (
        <>
          {load.refusal && (
            <Banner title="Nothing from this file was stored" tone="danger">
              {load.refusal}
            </Banner>
          )}
          {(isStored || load.rows > 0) && (
            <Panel flush>
              <Figures isForgotten={isForgotten} load={load} storeId={storeId} />
            </Panel>
          )}
          <Panel title="Details">
            <Facts facts={factsOf(load)} />
          </Panel>
          {(isStored || errors.length > 0 || warnings.length > 0 || isForgotten) && <Issues />}
        </>
      )}
    </>
  );
}

const factsOf = (load: Load): [string, React.ReactNode][] => [
  ["Format", formats[load.format] ?? load.format],
  ["Origin", originOf(load)],
  ["Requested", <Time at={load.requestedAt} key="at" />],
  // Given up, it took as long as it takes to give up.
  ...(load.startedAt && load.finishedAt && load.outcome !== "failed"
    ? [["Took", duration(Math.max(0, load.finishedAt.getTime() - load.startedAt.getTime()))] as [string, string]]
    : []),
  ...(load.outcome === "loaded"
    ? [["File", load.isFileKept ? "Kept: it can be restored" : "No longer kept"] as [string, string]]
    : []),
];

/** Errors cost a row, warnings at most a field: a view of each. */
function Issues() {
  const { load, storeId, errors, warnings, isForgotten } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  const showsWarnings = params.has("warnings") || (!params.has("bad") && errors.length === 0 && warnings.length > 0);
  const shown = showsWarnings ? warnings : errors;
  const total = showsWarnings ? load.warnings : Math.max(load.rejected, errors.length);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0 grow">
          <Tabs
            label="Bad rows and warnings"
            tabs={[
              { label: "Bad rows", to: "?bad", current: !showsWarnings, count: load.rejected },
              { label: "Warnings", to: "?warnings", current: showsWarnings, count: load.warnings },
            ]}
          />
        </div>
        {load.rejected > 0 && (load.isFileKept || !isForgotten) && <BadRowsButton loadId={load.id} storeId={storeId} />}
      </div>
      <Panel
        flush
        footer={
          shown.length > 0 &&
          shown.length < total &&
          `The first ${grouped(shown.length)} of ${grouped(total)} are shown.`
        }
      >
        {shown.length > 0 ? (
          <Table
            caption={showsWarnings ? "Warnings" : "Bad rows"}
            columns={columns}
            rowKey={(issue) => `${issue.line} ${issue.field} ${issue.reason} ${issue.value}`}
            rows={shown}
          />
        ) : total > 0 ? (
          <EmptyState icon={History} title={isForgotten ? "No longer listed" : "Not listed"}>
            {isForgotten
              ? "Bad rows and warnings are listed for 90 days."
              : "A report lists a thousand lines, bad rows before warnings."}
          </EmptyState>
        ) : (
          <EmptyState icon={CircleCheck} title={showsWarnings ? "No warnings" : "No bad rows"}>
            {showsWarnings ? "Every field could be used as it is." : "Every row could be read."}
          </EmptyState>
        )}
      </Panel>
    </>
  );
}

const columns: Column<Issue>[] = [
  {
    header: "Line",
    slim: true,
    cell: ({ line }) =>
      line === 0 ? (
        "Whole file"
      ) : (
        <span className="tabular-nums">
          <span className="hidden folded:inline">Line </span>
          {grouped(line)}
        </span>
      ),
  },
  { header: "Field", cell: ({ field }) => <Mono>{field}</Mono> },
  {
    header: "Value",
    cell: ({ value }) =>
      value === "" ? <span className="text-faint">Empty</span> : <span className="wrap-anywhere">{value}</span>,
  },
  {
    header: "What is wrong",
    cell: ({ reason }) => <span className="block text-pretty first-letter:uppercase">{reason}</span>,
  },
];
