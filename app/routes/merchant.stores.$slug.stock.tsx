// A store's exact stock: what is counted where, and a file of counts in its place.
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { data, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Boxes, Upload } from "lucide-react";
import { useAnsweredForm } from "~/lib/answered-form";
import { act, type FormErrors, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { noIntent, typed } from "~/lib/form.server";
import { grouped } from "~/lib/numbers";
import { takeFile } from "~/lib/upload.server";
import { useEmptyOnceTaken } from "~/merchant/empty-once-taken";
import { FileField } from "~/merchant/file-field";
import { doneAt, notes } from "~/merchant/notes";
import { useStore } from "~/merchant/store";
import { storeTitle } from "~/merchant/store-title";
import { Banner } from "~/ui/banner";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { DialogLink } from "~/ui/dialog-link";
import { DoneNote } from "~/ui/done-note";
import { Dotted } from "~/ui/dotted";
import { EmptyState } from "~/ui/empty-state";
import { FormProblem } from "~/ui/form-problem";
import { LongMono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { type Column, Table } from "~/ui/table";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta = storeTitle("Stock");
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.merchant.stock({ store: args.params.slug! }));

export async function action(args: ActionFunctionArgs) {
  const store = args.params.slug!;
  const isFile = /^multipart\/form-data\b/i.test(args.request.headers.get("content-type") ?? "");
  if (isFile) return upload(args, store);
  const { intent, shown } = await typed(args.request, "intent", "shown");
  if (intent !== "remove") throw noIntent();
  const outcome = await act(args, (api) => api.merchant.removeStock({ store, shown }));
  return outcome.done ? redirect(doneAt(args.request, "stock-removed")) : outcome.response;
}

async function upload(args: ActionFunctionArgs, store: string) {
  const outcome = await takeFile(
    args,
    (api) => api.merchant.store({ store }),
    (api, { content }) => api.merchant.uploadStock({ store, content }),
  );
  if (outcome.done) return redirect(doneAt(args.request, "stock-loaded"));
  return data({ errors: outcome.errors }, outcome.response.init ?? undefined);
}

type Place = Awaited<ReturnType<typeof loader>>["locations"][number];

const columns: Column<Place>[] = [
  {
    header: "Location",
    cell: ({ id, name, address }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere">{name}</span>
        {(address || name !== id) && (
          <span className="wrap-anywhere text-[0.8125rem] text-muted">
            <Dotted>
              {address || null}
              {name !== id && <LongMono>{id}</LongMono>}
            </Dotted>
          </span>
        )}
      </span>
    ),
  },
  { header: "Pick-up", cell: ({ pickup }) => (pickup ? "Yes" : "No") },
  { header: "Ids counted", align: "right", cell: ({ counts }) => grouped(counts) },
  { header: "Pieces", align: "right", cell: ({ pieces }) => grouped(pieces) },
];

export default function Stock() {
  const { locations, takenAt, unknown, version } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { name } = useStore();
  const { dialog, closeTo } = useDialogParams();
  const isRemoving = dialog === "remove" && locations.length > 0;
  return (
    <>
      {!answer && <DoneNote notes={notes} />}
      {unknown > 0 && (
        <Banner
          title={unknown === 1 ? "One count is of no product" : `${grouped(unknown)} counts are of no product`}
          tone="warning"
        >
          The catalogue has no such id, so no agent is told of {unknown === 1 ? "it" : "them"}. Ids are those of the
          product feed, of variants where there are any.
        </Banner>
      )}
      <Panel
        actions={
          locations.length > 0 && (
            <DialogLink dialog="remove" size="sm">
              Remove all counts
            </DialogLink>
          )
        }
        description="Agents that may read exact stock are told how many pieces there are, and where."
        flush
        footer={
          takenAt && (
            <span className="text-[0.8125rem] text-muted">
              Counted <Time at={takenAt} />
            </span>
          )
        }
        title="Stock by location"
      >
        {locations.length > 0 ? (
          <Table caption="Stock by location" columns={columns} rowKey={({ id }) => id} rows={locations} />
        ) : (
          <EmptyState icon={Boxes} title="Nothing is counted yet">
            Agents are told the availability that your product feed gives, and no number of pieces.
          </EmptyState>
        )}
      </Panel>
      <UploadCounts errors={isRemoving ? undefined : answer?.errors} />
      {isRemoving && (
        <ConfirmDialog
          closeTo={closeTo}
          confirmLabel="Remove all counts"
          errors={answer?.errors}
          title={`Remove all counts of ${name}?`}
          values={{ intent: "remove", shown: version }}
        >
          <p>Agents are then told that the store publishes no stock counts.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function UploadCounts({ errors }: { errors: FormErrors | undefined }) {
  const form = useAnsweredForm(errors);
  const isSending = useNavigation().formData?.has("file") ?? false;
  useEmptyOnceTaken(isSending, () => form.current?.reset());
  const problem = errors?.fields.content;
  return (
    <Panel
      description="It replaces all counts: locations and ids that are missing from it are no longer counted."
      title="Upload counts"
    >
      <Form
        className="flex flex-col items-start gap-5 [&>div]:w-full"
        encType="multipart/form-data"
        method="post"
        preventScrollReset
        ref={form}
      >
        <FormProblem errors={errors} />
        <FileField
          accept=".tsv,.csv,.txt,.tab"
          error={problem}
          hint="Google's local inventory as TSV or CSV: columns id, store_code and quantity; store_name, store_address, pickup_method, low_stock_threshold and restock_at where you have them. Up to 5 MB."
          label="Local inventory"
          name="file"
        />
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton icon={<Upload aria-hidden />}>Upload</SubmitButton>
          <span aria-live="polite" className="text-[0.8125rem] text-muted">
            {isSending ? "Sending the file…" : ""}
          </span>
        </div>
      </Form>
    </Panel>
  );
}
