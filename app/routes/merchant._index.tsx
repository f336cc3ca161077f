// The merchant's stores: what is in them, who can read them, and the switch.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Store } from "lucide-react";
import { load, paged } from "~/lib/api.server";
import { countryName } from "~/lib/country-name.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { noIntent, typed } from "~/lib/form.server";
import { listParams } from "~/lib/list-params.server";
import { grouped } from "~/lib/numbers";
import { catalogueOf } from "~/merchant/catalogue";
import { DiscoveryBadge, DiscoveryOffDialog, DiscoverySwitch } from "~/merchant/discovery";
import { setDiscovery } from "~/merchant/discovery.server";
import { LastLoad } from "~/merchant/last-load";
import { notes } from "~/merchant/notes";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Stores · Aisle" }];
export const handle = { crumb: "Stores" };
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { cursor } = listParams(args.request);
    const page = await paged(args, cursor, (at) => api.merchant.stores({ cursor: at }));
    return { ...page, rows: page.rows.map((store) => ({ ...store, country: countryName(store.country) })) };
  });

export async function action(args: ActionFunctionArgs) {
  const { intent, store } = await typed(args.request, "intent", "store");
  if (intent === "discovery-on" || intent === "discovery-off") {
    return setDiscovery(args, store, intent === "discovery-on");
  }
  throw noIntent();
}

type Row = Awaited<ReturnType<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    header: "Store",
    cell: ({ slug, name, country, isDemo }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">
          <TextLink to={`/merchant/stores/${slug}`}>{name}</TextLink>
        </span>
        <span className="text-[0.8125rem] text-muted">{isDemo ? `${country}, the demo store` : country}</span>
      </span>
    ),
  },
  {
    header: "Products",
    align: "right",
    cell: ({ products, excluded }) => (
      <span className="flex flex-col">
        {grouped(products)}
        {excluded > 0 && (
          <span className="whitespace-nowrap text-[0.8125rem] text-muted">{grouped(excluded)} excluded</span>
        )}
      </span>
    ),
  },
  {
    header: "Last catalogue load",
    cell: ({ id, lastLoad, underWay, feed }) => (
      <LastLoad
        feed={feed}
        never={<TextLink to={catalogueOf(id)}>Load a catalogue</TextLink>}
        of={lastLoad}
        underWay={underWay}
      />
    ),
  },
  {
    header: "Platforms",
    align: "right",
    cell: ({ slug, platforms }) => (
      <TextLink
        aria-label={`${platforms} ${platforms === 1 ? "platform" : "platforms"} can read it`}
        to={`/merchant/agents?store=${slug}`}
      >
        {grouped(platforms)}
      </TextLink>
    ),
  },
  { header: "AI Discovery", cell: (store) => <DiscoveryBadge of={store} /> },
  { header: "Actions", quiet: true, align: "right", cell: (store) => <DiscoverySwitch of={store} /> },
];

export default function Stores() {
  const { rows, previous, next, isAnew } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, id, closeTo } = useDialogParams();
  const asked = dialog === "discovery-off" && rows.find((store) => store.slug === id && store.aiDiscovery);
  return (
    <>
      <PageHeader
        description="Turn AI Discovery on or off for each store; block single platforms under AI Agents."
        title="Stores"
      />
      {!answer && <DoneNote notes={notes} />}
      {!asked && <Refusal errors={answer?.errors} />}
      {isAnew && <BackAtStart />}
      <Panel
        flush
        footer={previous || next ? <TurnPages next={next} previous={previous} summary="By name" /> : undefined}
      >
        {rows.length > 0 ? (
          <Table caption="Stores" columns={columns} rowKey={({ slug }) => slug} rows={rows} />
        ) : (
          <EmptyState icon={Store} title="No store yet">
            The operator sets up a store for you. You then load its catalogue and decide here who may read it.
          </EmptyState>
        )}
      </Panel>
      {asked && <DiscoveryOffDialog closeTo={closeTo} errors={answer?.errors} of={asked} />}
    </>
  );
}
