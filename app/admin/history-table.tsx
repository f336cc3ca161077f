import { requestColumn } from "~/desk/audit-table";
import { fieldName, valueName } from "~/desk/field-names";
import { grouped } from "~/lib/numbers";
import { exactTime } from "~/lib/relative-time";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";
import type { Act } from "./review";

/** What is called otherwise here than wherever the audit is read. */
const names: Record<string, string> = { url: "Found at", source: "Found in" };

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

const dated = new Set(["expiresAt", "endsAt"]);
const counted = new Set(["rateLimit", "maxKeys", "expectedRequestsPerDay"]);

function inWords(field: string, value: string | null, other: string | null): string | null {
  if (value === null) return null;
  if (dated.has(field)) return exactTime(new Date(value));
  return counted.has(field) ? grouped(Number(value)) : valueName(field, value, other);
}

function Change({ field, ...sides }: Act["changes"][number]) {
  const label = names[field] ?? fieldName(field);
  const before = inWords(field, sides.before, sides.after);
  const after = inWords(field, sides.after, sides.before);
  if (before === null)
    return (
      <span className="wrap-anywhere whitespace-pre-line">
        {label}: {after}
      </span>
    );
  return (
    <span className="wrap-anywhere whitespace-pre-line">
      {label}: <del className="text-faint">{before}</del> → {after ?? "none"}
    </span>
  );
}

/** What happened, newest first: who, what, which fields changed; with its request, unless it is `brief`. */
export const HistoryTable = ({ acts, brief = false }: { acts: Act[]; brief?: boolean }) => (
  <Table
    caption="History"
    columns={brief ? columns : [...columns, requestColumn]}
    rowKey={({ id }) => id}
    rows={acts}
  />
);
