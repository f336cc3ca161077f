import { Activity, Download } from "lucide-react";
import type { ReactNode } from "react";
import { duration, grouped } from "~/lib/numbers";
import { buttonLook } from "~/ui/button";
import { Chart } from "~/ui/chart";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Panels } from "~/ui/panels";
import { Stat, Stats } from "~/ui/stat";
import { type Tab, Tabs } from "~/ui/tabs";
import { countsOf, outcomes, shareOfErrors } from "./counts";
import { ReasonsTable } from "./reasons-table";
import { SharesTable } from "./shares-table";
import type { Dimension, UsageReport } from "./usage";

const rangeWords: Record<UsageReport["range"], string> = {
  "1h": "Last hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};
const stepWords = { minute: "per minute", hour: "per hour", day: "per day" };

/** Usage over a range: figures, chart and table of the same, and shares by each dimension. */
export function UsageView({
  report,
  page,
  params,
  ofFiles,
  by,
  empty,
}: {
  report: UsageReport;
  /** The page's address; its CSV is at the same with `.csv`. */
  page: "/console/usage" | "/admin/usage";
  /** Of the address, beside the range. */
  params?: Record<string, string>;
  /** Of its CSV's addresses, beside these. */
  ofFiles?: Record<string, string>;
  by: Dimension[];
  /** What to do where there is nothing. */
  empty: { action?: ReactNode; words: string };
}) {
  const address = (range: string, extra: Record<string, string> = {}, ending = "") =>
    `${page}${ending}?${new URLSearchParams({ ...params, range, ...extra })}`;
  const csv = (table: string) => address(report.range, { by: table, ...ofFiles }, ".csv");
  const tabs: Tab[] = (Object.keys(rangeWords) as UsageReport["range"][]).map((range) => ({
    label: rangeWords[range],
    to: address(range),
    current: range === report.range,
  }));
  return (
    <>
      <Tabs label="Range" tabs={tabs} />
      {report.total.calls === 0 ? (
        <Panel flush>
          <EmptyState
            action={empty.action}
            icon={Activity}
            title={`No calls in the last ${report.range === "1h" ? "hour" : rangeWords[report.range]}`}
          >
            {empty.words} {report.range !== "90d" && "Choose a longer range to look further back."}
          </EmptyState>
        </Panel>
      ) : (
        <>
          <Totals report={report} />
          <Panel
            actions={<CsvLink label="Export the table over time as CSV" to={csv("time")} />}
            description={`${capital(stepWords[report.grain])}, UTC. The last ${report.grain} is not over yet.`}
            title="Calls"
          >
            <OverTime report={report} />
          </Panel>
          {report.shares.error.length > 0 && (
            <Panel
              actions={<CsvLink label="Export errors and refusals as CSV" to={csv("error")} />}
              description="By reason, with how to fix each. The Requests log keeps at most 100 alike per minute, so it may show fewer."
              flush
              title="Errors and refusals"
            >
              <ReasonsTable page={page} params={params} report={report} />
            </Panel>
          )}
          <Panel flush>
            <Panels
              label="Usage by"
              panels={by.map((dimension) => ({
                label: dimensionWords[dimension],
                content: (
                  <SharesTable
                    csv={
                      <CsvLink label={`Export ${dimensionWords[dimension].toLowerCase()} as CSV`} to={csv(dimension)} />
                    }
                    dimension={dimension}
                    report={report}
                    title={dimensionWords[dimension]}
                  />
                ),
              }))}
            />
          </Panel>
        </>
      )}
    </>
  );
}

const dimensionWords: Record<Dimension, string> = {
  tool: "Tools and methods",
  store: "Stores",
  key: "Keys",
  client: "Clients",
  locale: "Locales",
  error: "Reasons",
  consumer: "Consumers",
};

function Totals({ report: { total } }: { report: UsageReport }) {
  const { calls, errors, refused, p50, p95 } = total;
  return (
    <Stats>
      <Stat detail={`${grouped(calls - errors - refused)} answered`} label="Calls" value={grouped(calls)} />
      <Stat detail={shareOfErrors(total)} label="Errors" value={grouped(errors)} />
      <Stat detail="401, 403 and 429" label="Refused" value={grouped(refused)} />
      <Stat detail={`p50 ${duration(p50)}; refusals excluded`} label="Latency p95" value={duration(p95)} />
    </Stats>
  );
}

const OverTime = ({ report }: { report: UsageReport }) => (
  <Chart
    besides={[
      { label: "p50", values: report.series.map(({ p50 }) => duration(p50)) },
      { label: "p95", values: report.series.map(({ p95 }) => duration(p95)) },
    ]}
    points={report.series.map((step) => ({ at: step.at, counts: countsOf(step) }))}
    series={[...outcomes]}
    step={report.grain}
    title={`Calls, ${rangeWords[report.range].toLowerCase()}, ${stepWords[report.grain]}`}
  />
);

/** A download, so a plain link: no script may take it for a page. */
const CsvLink = ({ to, label }: { to: string; label: string }) => (
  <a aria-label={label} className={buttonLook({ size: "sm" })} href={to}>
    <Download aria-hidden />
    CSV
  </a>
);

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
