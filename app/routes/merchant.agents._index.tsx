// Every platform that can read a store, or could: since when, how much it read, and the merchant's say.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Store } from "lucide-react";
import { load, paged, sought } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { listParams } from "~/lib/list-params.server";
import { AgentsTable, decidable, Nothing } from "~/merchant/agents-table";
import { decide } from "~/merchant/decide.server";
import { askedOf, DecisionDialog } from "~/merchant/decisions";
import { notes } from "~/merchant/notes";
import { type Standing, standings, standingWords } from "~/merchant/standing";
import { StoreChoice } from "~/merchant/store-choice";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { DoneNote } from "~/ui/done-note";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { SearchForm } from "~/ui/search-form";
import { Tabs } from "~/ui/tabs";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "AI Agents · Aisle" }];
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { query, cursor, params } = listParams(args.request);
    const shown = params.get("store") ?? undefined;
    const choices = await api.merchant.storeChoices({ shown });
    const store = shown ?? choices[0]?.slug;
    if (store === undefined) return null;
    const counts = await api.agents.count({ store });
    const asked = standings.find((each) => each === params.get("show"));
    const show: Standing = asked ?? (counts.aiDiscovery || counts.isDemo ? "reading" : "discovery_off");
    const read = (at: string | undefined) =>
      api.agents.list({ store, standing: show, ...(query && { query }), cursor: at });
    const looked = await sought(args, ["query"], paged(args, cursor, read));
    return { choices, store, counts, show, query, ...looked };
  });

export const action = (args: ActionFunctionArgs) => decide(args);

export type Data = NonNullable<Awaited<ReturnType<typeof loader>>>;

export default function Agents() {
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageHeader
        actions={data && <StoreChoice choices={data.choices} chosen={data.store} />}
        description="Every AI platform that can read your store, what it reads, and your decision on it. Decisions apply from the platform's next request."
        title="AI Agents"
      />
      {!answer && <DoneNote notes={notes} />}
      {data ? (
        <List {...data} />
      ) : (
        <Panel flush>
          <EmptyState icon={Store} title="No store yet">
            The operator sets up a store for you. The platforms that can read it are then listed here.
          </EmptyState>
        </Panel>
      )}
    </>
  );
}

function List({ store, counts, show, query, found, problems }: Data) {
  const { dialog, id, closeTo } = useDialogParams();
  const errors = useActionData<typeof action>()?.errors;
  const platform = found?.rows.map(decidable).find(({ slug }) => slug === id);
  const asked = askedOf(dialog, platform);
  const isOff = !counts.aiDiscovery && !counts.isDemo;
  const all = `?${new URLSearchParams({ store, show })}`;
  const tabs = standings.filter(
    (each) => counts[each] > 0 || each === show || each === (isOff ? "discovery_off" : "reading"),
  );
  return (
    <>
      {!asked && <Refusal errors={errors} />}
      {isOff && (
        <Banner
          actions={
            <ButtonLink size="sm" to={`/merchant/stores/${store}`}>
              Open the store
            </ButtonLink>
          }
          title={`AI Discovery is off for ${counts.storeName}: no platform can read it`}
          tone="warning"
        >
          Blocks and grants are kept for when it is on again.
        </Banner>
      )}
      <Tabs
        label="Platforms by access"
        tabs={tabs.map((each) => ({
          label: standingWords[each][0],
          to: `?${new URLSearchParams({ store, show: each, ...(query && { q: query }) })}`,
          current: each === show,
          count: counts[each],
        }))}
      />
      {(counts[show] > 25 || query) && (
        <SearchForm clearTo={query !== "" && all} error={problems.query} label="Platform or company" value={query}>
          <input name="store" type="hidden" value={store} />
          <input name="show" type="hidden" value={show} />
        </SearchForm>
      )}
      {found?.isAnew && <BackAtStart />}
      <Panel flush footer={(found?.previous || found?.next) && <TurnPages {...found} summary="By name" />}>
        {!found ? (
          <NotSought all={all} />
        ) : found.rows.length > 0 ? (
          <AgentsTable isDemo={counts.isDemo} rows={found.rows} show={show} store={store} />
        ) : (
          <Nothing counts={counts} query={query} show={show} store={store} />
        )}
      </Panel>
      {asked && (
        <DecisionDialog
          closeTo={closeTo}
          dialog={asked}
          errors={errors}
          of={platform!}
          store={store}
          storeName={counts.storeName}
        />
      )}
    </>
  );
}
