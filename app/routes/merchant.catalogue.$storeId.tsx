// One store's catalogue: what agents see, files to upload, a feed by its address, every load, and the way back.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { load, paged } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { errorTitle } from "~/lib/error-title";
import { listParams } from "~/lib/list-params.server";
import { useLastingAnswer, useLookAgain } from "~/lib/look-again";
import { type Catalogue, isUnderWay, loadOf } from "~/merchant/catalogue";
import { useCatalogueDialog } from "~/merchant/catalogue-dialogs";
import { change, upload } from "~/merchant/catalogue-forms.server";
import { CurrentPanel } from "~/merchant/current-panel";
import { HistoryPanel } from "~/merchant/history-panel";
import { LoadProgress } from "~/merchant/load-progress";
import { notes } from "~/merchant/notes";
import { SourcePanel } from "~/merchant/source-panel";
import { UploadPanel } from "~/merchant/upload-panel";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { DoneNote } from "~/ui/done-note";
import { PageHeader } from "~/ui/page-header";
import { Refusal } from "~/ui/refusal";
import { useToast } from "~/ui/toast";
import { BackAtStart } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.catalogue.name} · Catalogue · Aisle` : errorTitle(error) },
];
export const handle = { crumb: ({ catalogue }: Awaited<ReturnType<typeof loader>>) => catalogue.name };
export const shouldRevalidate = keepDataForDialog;

/** How often an open page looks again, while something is under way. */
const LOOK_AGAIN_MS = 1_000;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const storeId = args.params.storeId!;
    const { cursor } = listParams(args.request);
    const [catalogue, history, source] = await Promise.all([
      api.catalogue.get({ storeId }),
      paged(args, cursor, (at) => api.catalogue.history({ storeId, cursor: at })),
      api.catalogue.source({ storeId }),
    ]);
    return { catalogue, history, source };
  });

export async function action(args: ActionFunctionArgs) {
  const storeId = args.params.storeId!;
  const isFile = /^multipart\/form-data\b/i.test(args.request.headers.get("content-type") ?? "");
  return isFile ? upload(args, storeId) : change(args, storeId);
}

export default function CataloguePage() {
  const { catalogue, history, source } = useLoaderData<typeof loader>();
  const answer = useLastingAnswer<typeof action>();
  const underWay = isUnderWay(catalogue.latest) ? catalogue.latest : null;
  const isBusy = underWay !== null;
  const result = useResult(catalogue);
  useLookAgain(isBusy || source?.isFetching ? LOOK_AGAIN_MS : null);
  const dialog = useCatalogueDialog();
  const errorsOf = (about: string) => (answer?.about === about ? answer.errors : undefined);
  return (
    <>
      <PageHeader description="Load a product feed, by file or by address." title={`Catalogue of ${catalogue.name}`} />
      {!answer && <DoneNote notes={notes} />}
      {!dialog && <Refusal errors={errorsOf("dialog")} />}
      <div className="empty:hidden" ref={result}>
        {underWay ? <LoadProgress load={underWay} /> : <LastRefusal catalogue={catalogue} />}
      </div>
      <CurrentPanel canAct={!isBusy} catalogue={catalogue} />
      <div className="grid gap-6 lg:grid-cols-2">
        <UploadPanel errors={errorsOf("upload")} isBusy={isBusy} maxBytes={catalogue.maxBytes} />
        <SourcePanel errors={errorsOf("source")} isBusy={isBusy} kept={answer?.kept} source={source} />
      </div>
      {history.isAnew && <BackAtStart />}
      <HistoryPanel canAct={!isBusy} catalogue={catalogue} history={history} />
      {dialog}
    </>
  );
}

/** Tells of a load that ends while the page is open. @returns the ref of where it stands that nothing came of one, which comes into view */
function useResult({ latest, current }: Catalogue) {
  const box = useRef<HTMLDivElement>(null);
  const toast = useToast();
  const newest = latest ?? current;
  const ended = newest && !isUnderWay(newest) ? newest.id : undefined;
  const last = useRef(ended);
  useEffect(() => {
    if (!newest || !ended || last.current === ended) return;
    last.current = ended;
    if (newest.outcome === "loaded") toast(`${newest.fileName} is loaded`);
    else box.current?.scrollIntoView({ block: "center" });
  }, [newest, ended, toast]);
  return box;
}

/** The last load, when nothing came of it: the store still shows the one before. */
function LastRefusal({ catalogue: { id, latest, current } }: { catalogue: Catalogue }) {
  if (!latest || latest.outcome === "loaded") return null;
  return (
    <Banner
      actions={
        <ButtonLink size="sm" to={loadOf(id, latest.id)}>
          Load report
        </ButtonLink>
      }
      title={`${latest.fileName} was ${latest.outcome === "refused" ? "refused" : "not loaded"}`}
      tone="danger"
    >
      {latest.refusal} {current && "The store keeps the catalogue it had."}
    </Banner>
  );
}
