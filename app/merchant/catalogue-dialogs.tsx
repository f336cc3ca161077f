import { useLoaderData } from "@remix-run/react";
import { useDialogParams } from "~/lib/dialog";
import { useLastingAnswer } from "~/lib/look-again";
import { grouped } from "~/lib/numbers";
import type { action, loader } from "~/routes/merchant.catalogue.$storeId";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { ShownVersion } from "~/ui/shown-version";
import { Time } from "~/ui/time";
import type { KeptSource } from "./catalogue-forms.server";
import { Address, AddressField } from "./source-panel";

/** What the address opens on the catalogue's page, as long as there is that to decide. */
export function useCatalogueDialog() {
  const { catalogue, history, source } = useLoaderData<typeof loader>();
  const { dialog, id, closeTo } = useDialogParams();
  const answer = useLastingAnswer<typeof action>();
  const errors = answer?.errors;
  if (dialog === "undo" && catalogue.undo) {
    return (
      <RestoreDialog
        closeTo={closeTo}
        current={catalogue.current?.id}
        errors={errors}
        of={{ id: catalogue.undo.loadId, ...catalogue.undo }}
        title="Restore the previous catalogue?"
      />
    );
  }
  const load = history.loads.find((one) => one.id === id);
  if (dialog === "restore" && load?.isFileKept) {
    return (
      <RestoreDialog
        closeTo={closeTo}
        current={catalogue.current?.id}
        errors={errors}
        of={load}
        title="Restore this catalogue?"
      />
    );
  }
  if (dialog === "remove-source" && source) {
    return (
      <ConfirmDialog
        closeTo={closeTo}
        confirmLabel="Remove the address"
        errors={errors}
        title="Stop fetching this feed?"
        values={{ intent: "remove-source", shown: source.url }}
      >
        <p>
          <Address url={source.url} /> is no longer fetched. The catalogue stays as it is.
        </p>
      </ConfirmDialog>
    );
  }
  if (dialog === "change-source" && source)
    return <ChangeDialog closeTo={closeTo} errors={errors} kept={answer?.kept} url={source.url} />;
  return null;
}

interface Restorable {
  id: string;
  fileName: string;
  requestedAt: Date;
  rejected: number;
}

function RestoreDialog({
  title,
  closeTo,
  errors,
  of,
  current,
}: Asked & {
  title: string;
  of: Restorable;
  /** The load that the store shows. */
  current: string | undefined;
}) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Restore"
      errors={errors}
      fields={current && <ShownVersion errors={errors} name="shown" newest={current} />}
      title={title}
      values={{ intent: "restore", loadId: of.id }}
    >
      <p>
        The store goes back to what it showed after <strong className="font-medium text-ink">{of.fileName}</strong> was
        loaded <Time at={of.requestedAt} />: products, prices and stock as they were then. Later changes are undone.
      </p>
      {of.rejected > 0 && (
        <p>
          {of.rejected === 1 ? "One row of that file was" : `${grouped(of.rejected)} rows of that file were`} bad: what
          the store has of {of.rejected === 1 ? "it" : "them"} stays as it is now.
        </p>
      )}
      <p>What it shows now stays in the history and can be restored in the same way.</p>
    </ConfirmDialog>
  );
}

function ChangeDialog({ closeTo, errors, url, kept }: Asked & { url: string; kept: KeptSource | undefined }) {
  return (
    <FormDialog
      closeTo={closeTo}
      errors={errors}
      intent="set-source"
      label="Fetch it daily"
      title="Change the feed's address"
    >
      <ShownVersion errors={errors} name="shown" newest={url} posted={kept?.shown} />
      <AddressField error={errors?.fields.url} value={kept?.url ?? url} />
    </FormDialog>
  );
}
