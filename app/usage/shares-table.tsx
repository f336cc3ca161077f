import type { ReactNode } from "react";
import { duration, grouped, percentOf } from "~/lib/numbers";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { CalledKind } from "./called";
import type { Dimension, Share, UsageReport } from "./usage";

const unsaid: Record<Dimension, string> = {
  tool: "No tool",
  store: "No store",
  key: "No key",
  client: "Not stated",
  locale: "Not stated",
  error: "None",
  consumer: "None",
};
const ways: Record<string, string> = { playground: "Playground", directory: "Directory endpoint" };

/** How usage divides by one dimension, the largest first. */
export function SharesTable({
  report,
  dimension,
  title,
  csv,
}: {
  report: UsageReport;
  dimension: Dimension;
  title: string;
  csv: ReactNode;
}) {
  const shares = report.shares[dimension];
  const more = report.more[dimension];
  const columns: Column<Share>[] = [
    { header: title, cell: (share) => <Name dimension={dimension} range={report.range} share={share} /> },
    {
      header: "Calls",
      align: "right",
      cell: ({ calls }) => (
        <>
          {grouped(calls)}
          <span className="hidden text-muted narrow:inline"> · {percentOf(calls, report.total.calls)}</span>
        </>
      ),
    },
    { header: "Share", spare: true, cell: ({ calls }) => <ShareBar part={calls} whole={report.total.calls} /> },
    { header: "Errors", align: "right", cell: ({ errors }) => <Count of={errors} /> },
    { header: "Refused", align: "right", cell: ({ refused }) => <Count of={refused} /> },
    { header: "p50", align: "right", spare: true, cell: ({ p50 }) => duration(p50) },
    {
      header: "p95",
      align: "right",
      cell: ({ p50, p95 }) => (
        <>
          {duration(p95)}
          <span className="hidden text-muted narrow:inline"> · p50 {duration(p50)}</span>
        </>
      ),
    },
  ];
  return (
    <>
      {shares.length === 0 ? (
        <p className="px-4 py-8 text-center text-muted text-sm md:px-6">None of these calls named one.</p>
      ) : (
        <Table
          caption={`Usage by ${title.toLowerCase()}`}
          columns={columns}
          rowKey={({ value }) => value}
          rows={shares}
          wide
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t bg-sunken px-4 py-2.5 text-[0.8125rem] text-muted md:px-6">
        <span>{more > 0 ? `${grouped(more)} more ${more === 1 ? "is" : "are"} in the CSV.` : "All are shown."}</span>
        {csv}
      </div>
    </>
  );
}

function Name({
  dimension,
  range,
  share: { value, name, slug },
}: {
  dimension: Dimension;
  range: UsageReport["range"];
  share: Share;
}) {
  if (slug !== undefined) {
    return (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">
          <TextLink to={`/admin/usage?${new URLSearchParams({ consumer: slug, range })}`}>{name}</TextLink>
        </span>
        <span className="wrap-anywhere font-mono text-muted text-xs">{slug}</span>
      </span>
    );
  }
  if (value === "") return <span className="text-faint">{unsaid[dimension]}</span>;
  if (name !== null) return <span className="wrap-anywhere font-medium">{name}</span>;
  if (dimension === "tool") return <CalledKind value={value} />;
  if (dimension === "locale") return <code className="font-mono text-[0.8125rem]">{value}</code>;
  if (dimension === "key" && ways[value]) return <span>{ways[value]}</span>;
  // Deleted since: its id is all that is left.
  if (dimension === "store" || dimension === "key" || dimension === "consumer")
    return <code className="wrap-anywhere font-mono text-[0.8125rem] text-muted">{value}</code>;
  return <span className="wrap-anywhere">{value}</span>;
}

const Count = ({ of }: { of: number }) => <span className={of === 0 ? "text-faint" : undefined}>{grouped(of)}</span>;

/** The part as a bar beside its percentage. */
export const ShareBar = ({ part, whole }: { part: number; whole: number }) => (
  <span className="flex items-center gap-2.5 cards:justify-end">
    <svg aria-hidden="true" className="h-1.5 w-20 shrink-0 rounded-full bg-raised max-sm:hidden">
      <rect
        className="fill-accent-fill"
        height="100%"
        rx="3"
        width={`${whole === 0 ? 0 : ((100 * part) / whole).toFixed(2)}%`}
      />
    </svg>
    <span className="whitespace-nowrap text-muted">{percentOf(part, whole)}</span>
  </span>
);
