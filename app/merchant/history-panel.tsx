import { History as HistoryIcon } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { exactTime } from "~/lib/relative-time";
import { DialogLink } from "~/ui/dialog-link";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { TurnPages } from "~/ui/turn-pages";
import { type Load, loadOf, originOf, type Page } from "./catalogue";
import { OutcomeBadge } from "./outcome-badge";

/** Every load of the store, the newest first, and the way back to those whose file is kept. */
export function HistoryPanel({
  catalogue,
  history,
  canAct,
}: Pick<Page, "catalogue" | "history"> & { canAct: boolean }) {
  const { loads, previous, next } = history;
  return (
    <Panel
      description="The files of the last three loads are kept and can be restored."
      flush
      footer={(previous || next) && <TurnPages next={next} previous={previous} summary="Newest first" />}
      title="History"
    >
      {loads.length > 0 ? (
        <Table
          caption="Loads"
          columns={columns(catalogue.id, catalogue.current?.id, canAct)}
          rowKey={({ id }) => id}
          rows={loads}
        />
      ) : (
        <EmptyState icon={HistoryIcon} title="Nothing loaded yet">
          Each load is listed here with its report and the rows that could not be read.
        </EmptyState>
      )}
    </Panel>
  );
}

const columns = (storeId: string, currentId: string | undefined, canAct: boolean): Column<Load>[] => [
  {
    header: "File",
    cell: (load) => (
      <span className="flex min-w-0 flex-col">
        <TextLink className="wrap-anywhere font-medium" to={loadOf(storeId, load.id)}>
          {load.fileName} <span className="sr-only">of {exactTime(new Date(load.requestedAt))}</span>
        </TextLink>
        <span className="font-normal text-[0.8125rem] text-muted">{originOf(load)}</span>
      </span>
    ),
  },
  { header: "When", cell: ({ requestedAt }) => <Time at={requestedAt} /> },
  { header: "Rows", align: "right", cell: ({ rows }) => grouped(rows) },
  { header: "Loaded", align: "right", cell: ({ loaded }) => grouped(loaded) },
  { header: "Bad", align: "right", cell: ({ rejected }) => grouped(rejected) },
  { header: "Discontinued", align: "right", cell: ({ vanished }) => grouped(vanished) },
  { header: "Outcome", cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  {
    header: "Actions",
    quiet: true,
    align: "right",
    cell: (load) =>
      load.id === currentId ? (
        <span className="text-[0.8125rem] text-muted">Shown now</span>
      ) : (
        canAct && load.outcome === "loaded" && load.isFileKept && <RestoreLink load={load} />
      ),
  },
];

const RestoreLink = ({ load: { id, fileName, requestedAt } }: { load: Load }) => (
  <DialogLink
    aria-label={`Restore ${fileName} of ${exactTime(new Date(requestedAt))}`}
    dialog="restore"
    of={id}
    size="sm"
  >
    Restore
  </DialogLink>
);
