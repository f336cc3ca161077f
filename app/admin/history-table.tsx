import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";
import type { Act } from "./review";

const names: Record<string, string> = {
  state: "State",
  name: "Name",
  coverage: "Coverage",
  scopes: "Scopes",
  rateLimit: "Requests per minute",
  maxKeys: "Keys at most",
  utmSource: "utm_source",
  directorySlug: "Directory endpoint",
  decisionReason: "Reason",
  productName: "Product",
  company: "Company",
  website: "Website",
  platform: "Platform",
  expectedRequestsPerDay: "Expected requests per day",
  shopperUse: "Use",
  role: "Role",
  endsAt: "Ends",
  account: "Person",
  expiresAt: "Expires",
  revoked: "Old key revoked",
};

const columns: Column<Act>[] = [
  {
    header: "What",
    cell: ({ who, did, changes }) => (
      <span className="flex flex-col gap-1 text-left font-normal">
        <span>
          <span className="font-medium">{who}</span> {did}
        </span>
        {changes.length > 0 && (
          <span className="flex flex-col text-[0.8125rem] text-muted">
            {changes.map((change) => (
              <Change key={change.field} {...change} />
            ))}
          </span>
        )}
      </span>
    ),
  },
  { header: "When", cell: ({ at }) => <Time at={at} /> },
];

/** Values that are words of ours, without the database's underscores. */
const worded = new Set(["state", "coverage"]);

function Change({ field, ...sides }: Act["changes"][number]) {
  const label = names[field] ?? field;
  const inWords = (value: string | null) => (worded.has(field) ? (value?.replaceAll("_", " ") ?? null) : value);
  const [before, after] = [inWords(sides.before), inWords(sides.after)];
  if (before === null)
    return (
      <span className="wrap-anywhere">
        {label}: {after}
      </span>
    );
  return (
    <span className="wrap-anywhere">
      {label}: <del className="text-faint">{before}</del> → {after ?? "none"}
    </span>
  );
}

const request: Column<Act> = {
  header: "Request",
  cell: ({ requestId }) => <code className="wrap-anywhere font-mono text-muted text-xs">{requestId}</code>,
};

/** What happened, newest first: who, what, which fields changed; with the ids of the requests, unless it is `brief`. */
export const HistoryTable = ({ acts, brief = false }: { acts: Act[]; brief?: boolean }) => (
  <Table caption="History" columns={brief ? columns : [...columns, request]} rowKey={({ id }) => id} rows={acts} />
);
