import { Activity } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { EmptyState } from "~/ui/empty-state";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";
import type { Usage } from "./review";

type ToolUse = Usage["tools"][number];

const columns: Column<ToolUse>[] = [
  { header: "Tool or method", cell: ({ tool }) => <Mono>{tool}</Mono> },
  { header: "24 hours", align: "right", cell: ({ day }) => grouped(day.calls) },
  { header: "30 days", align: "right", cell: ({ month }) => grouped(month.calls) },
  {
    header: "Errors",
    align: "right",
    cell: ({ month }) => (
      <span className={month.errors > 0 ? "text-danger" : "text-faint"}>
        {grouped(month.errors)}
        {month.errors > 0 && <span className="text-muted"> · {share(month)}</span>}
      </span>
    ),
  },
  { header: "Last", align: "right", cell: ({ lastAt }) => <Time at={lastAt} /> },
];

const share = ({ calls, errors }: ToolUse["month"]) => `${Math.max(1, Math.round((errors / calls) * 100))} %`;

/** What was called, by tool, and how much of it failed. */
export function UsagePanel({ usage, title }: { usage: Usage; title: string }) {
  return (
    <Panel
      description={
        usage.lastAt ? (
          <>
            Last used <Time at={usage.lastAt} />
          </>
        ) : (
          "Errors are those of the last 30 days"
        )
      }
      flush
      title={title}
    >
      {usage.tools.length > 0 ? (
        <Table caption={title} columns={columns} rowKey={({ tool }) => tool} rows={usage.tools} />
      ) : (
        <EmptyState icon={Activity} title="No calls in the last 30 days">
          {usage.lastAt ? "Older calls are in the database, but not counted here." : "None of its keys was ever used."}
        </EmptyState>
      )}
    </Panel>
  );
}
