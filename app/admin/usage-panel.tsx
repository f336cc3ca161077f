import { Activity } from "lucide-react";
import { grouped, percentOf } from "~/lib/numbers";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { CalledKind } from "~/usage/called";
import type { Usage } from "./review";

type ToolUse = Usage["tools"][number];

const columns: Column<ToolUse>[] = [
  { header: "Tool or method", cell: ({ tool }) => <CalledKind value={tool} /> },
  { header: "24 hours", align: "right", spare: true, cell: ({ day }) => grouped(day.calls) },
  {
    header: "30 days",
    align: "right",
    cell: ({ month, day }) => (
      <>
        {grouped(month.calls)}
        <span className="hidden text-muted narrow:inline"> · {grouped(day.calls)} in 24 h</span>
      </>
    ),
  },
  {
    header: "Errors",
    align: "right",
    cell: ({ month }) => <Part look="text-danger" of={month.calls} part={month.errors} />,
  },
  {
    header: "Refused",
    align: "right",
    cell: ({ month }) => <Part look="text-warning" of={month.calls} part={month.refused} />,
  },
  { header: "Last", align: "right", cell: ({ lastAt }) => <Time at={lastAt} /> },
];

const Part = ({ part, of, look }: { part: number; of: number; look: string }) => (
  <span className={part > 0 ? look : "text-faint"}>
    {grouped(part)}
    {part > 0 && <span className="text-muted"> · {percentOf(part, of)}</span>}
  </span>
);

/** What was called, by tool, and what became of it. */
export function UsagePanel({ usage, title, slug }: { usage: Usage; title: string; slug: string }) {
  const ofIt = new URLSearchParams({ consumer: slug });
  if (!usage.lastAt) {
    return (
      <Panel flush title={title}>
        <EmptyState icon={Activity} title="No calls yet">
          It has made none in the 90 days that are kept.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel
      actions={
        <>
          <ButtonLink size="sm" to={`/admin/requests?${ofIt}`}>
            See requests
          </ButtonLink>
          <ButtonLink size="sm" to={`/admin/usage?${ofIt}`}>
            See full usage
          </ButtonLink>
        </>
      }
      description={
        <>
          Errors and refusals cover the last 30 days. Last request <Time at={usage.lastAt} />.
        </>
      }
      flush
      title={title}
    >
      {usage.tools.length > 0 ? (
        <Table caption={title} columns={columns} rowKey={({ tool }) => tool} rows={usage.tools} wide />
      ) : (
        <EmptyState icon={Activity} title="No calls in the last 30 days">
          Older ones are in <TextLink to={`/admin/requests?${ofIt}`}>Requests</TextLink>.
        </EmptyState>
      )}
    </Panel>
  );
}
