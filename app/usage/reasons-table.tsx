import { grouped } from "~/lib/numbers";
import { Mono } from "~/ui/mono";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { isInterrupted, reasonFor } from "./refusals";
import { ShareBar } from "./shares-table";
import type { Share, UsageReport } from "./usage";

/** What went wrong, by reason, with the way to the requests. */
export function ReasonsTable({
  report,
  page,
  params,
}: {
  report: UsageReport;
  page: "/console/usage" | "/admin/usage";
  params: Record<string, string> | undefined;
}) {
  const reasonOf = (share: Share) => reasonFor(parts(share)[1], page === "/admin/usage" ? "operator" : "member");
  const unanswered = report.total.errors + report.total.refused;
  const log = (share: Share) => {
    const [status, code] = parts(share);
    return `${page.replace("usage", "requests")}?${new URLSearchParams({ ...params, outcome: outcomeFor(status, code), code })}`;
  };
  const columns: Column<Share>[] = [
    {
      header: "Reason",
      cell: (share) => {
        const { title, mend } = reasonOf(share);
        return (
          <span className="flex max-w-xl flex-col gap-0.5">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium">{title}</span>
              <Mono>{isInterrupted(parts(share)[1]) ? "interrupted" : share.value}</Mono>
            </span>
            <span className="text-pretty font-normal text-[0.8125rem] text-muted leading-5">{mend}</span>
          </span>
        );
      },
    },
    { header: "Calls", align: "right", cell: ({ calls }) => grouped(calls) },
    { header: "Share of these", cell: ({ calls }) => <ShareBar part={calls} whole={unanswered} /> },
    {
      header: "Requests",
      quiet: true,
      align: "right",
      cell: (share) => (
        <TextLink aria-label={`Requests: ${reasonOf(share).title}`} to={log(share)}>
          Requests
        </TextLink>
      ),
    },
  ];
  return (
    <Table
      caption="Errors and refusals by reason"
      columns={columns}
      rowKey={({ value }) => value}
      rows={report.shares.error}
    />
  );
}

/** "429 rate_limited" */
function parts({ value }: Share): [status: string, code: string] {
  const [status = "", code = ""] = value.split(" ");
  return [status, code];
}

function outcomeFor(status: string, code: string): string {
  if (isInterrupted(code)) return "interrupted";
  if (["401", "403", "429"].includes(status)) return status;
  return Number(status) >= 500 ? "500" : "error";
}
