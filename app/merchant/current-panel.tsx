import { Download, PackageOpen, Undo2 } from "lucide-react";
import { grouped } from "~/lib/numbers";
import { ButtonLink, buttonLook } from "~/ui/button";
import { DialogLink } from "~/ui/dialog-link";
import { Dotted } from "~/ui/dotted";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { Stat, Stats } from "~/ui/stat";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { type Catalogue, type Load, loadOf, originOf } from "./catalogue";

/** What the store shows now, and the way back. */
export function CurrentPanel({ catalogue, canAct }: { catalogue: Catalogue; canAct: boolean }) {
  const { current, undo, products } = catalogue;
  if (!current) {
    return (
      <Panel flush>
        <EmptyState icon={PackageOpen} title="No catalogue yet">
          Agents find nothing in this store until its products are here.
          {canAct && " Upload a product feed, or enter the address of one."}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel
      actions={
        <>
          <ButtonLink size="sm" to={loadOf(catalogue.id, current.id)}>
            Load report
          </ButtonLink>
          {undo && canAct && (
            <DialogLink dialog="undo" icon={<Undo2 aria-hidden />} size="sm">
              Restore previous
            </DialogLink>
          )}
        </>
      }
      description={
        <Dotted>
          {current.fileName}
          <span>
            {originOf(current)} <Time at={current.finishedAt} />
          </span>
          {current.restoresFrom && (
            <>
              as of <Time at={current.restoresFrom} />
            </>
          )}
        </Dotted>
      }
      flush
      title="What agents see"
    >
      <Figures load={current} products={products} storeId={catalogue.id} />
    </Panel>
  );
}

interface FiguresProps {
  load: Load;
  /** Of the store, where they may differ by now. */
  products?: number;
  storeId: string;
  /** What was wrong with its rows is known no more, unless its file is read again. */
  isForgotten?: boolean;
}

/** A load in figures. Of a file that was refused, how far it was read. */
export function Figures({ load, products, storeId, isForgotten = false }: FiguresProps) {
  const isStored = load.outcome === "loaded";
  const leftOut = load.rows - load.loaded - load.rejected;
  const told =
    isForgotten && !load.isFileKept ? "No longer listed" : <BadRowsLink loadId={load.id} storeId={storeId} />;
  const bad = load.rejected > 0 ? told : isStored && "Every row could be read";
  return (
    <div className="[&>dl]:rounded-none [&>dl]:border-0 [&>dl]:shadow-none">
      <Stats>
        {isStored ? (
          <>
            <Stat detail="Variants counted as one" label="Products" value={grouped(products ?? load.products)} />
            <Stat detail={`of ${grouped(load.rows)} in the file`} label="Rows loaded" value={grouped(load.loaded)} />
          </>
        ) : (
          <Stat label="Rows read" value={grouped(load.rows)} />
        )}
        <Stat detail={bad} label="Bad rows" value={grouped(load.rejected)} />
        {isStored && leftOut > 0 && (
          <Stat
            detail={<TextLink to={`${loadOf(storeId, load.id)}?warnings`}>Warnings say why</TextLink>}
            label="Left out"
            value={grouped(leftOut)}
          />
        )}
        {isStored && <Stat detail="No longer in the feed" label="Discontinued" value={grouped(load.vanished)} />}
      </Stats>
    </div>
  );
}

const BadRowsLink = ({ storeId, loadId }: { storeId: string; loadId: string }) => (
  <a className="text-accent underline underline-offset-4" href={`${loadOf(storeId, loadId)}/bad-rows`}>
    Download them
  </a>
);

export const BadRowsButton = ({ storeId, loadId }: { storeId: string; loadId: string }) => (
  <a className={buttonLook({})} href={`${loadOf(storeId, loadId)}/bad-rows`}>
    <Download aria-hidden />
    Download all bad rows (CSV)
  </a>
);
