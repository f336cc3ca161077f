// Every platform that can read a store, or could: since when, how much it read, and the merchant's say.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Sparkles, Store } from "lucide-react";
import type { ReactNode } from "react";
import { load, paged, sought } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { grouped } from "~/lib/numbers";
import { decide } from "~/merchant/decide.server";
import { askedOf, DecisionDialog, Decisions } from "~/merchant/decisions";
import { notes } from "~/merchant/notes";
import { type Standing, standingWords } from "~/merchant/standing";
import { StoreChoice } from "~/merchant/store-choice";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { DoneNote } from "~/ui/done-note";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { BackAtStart } from "~/ui/pagination";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { SearchForm } from "~/ui/search-form";
import { type Column, Table } from "~/ui/table";
import { Tabs } from "~/ui/tabs";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { listParams, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction = () => [{ title: "AI Agents · Aisle" }];
export const shouldRevalidate = keepDataForDialog;

const shown = ["reading", "discovery_off", "blocked", "not_granted", "ended"] as const;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { query, cursor, params } = listParams(args.request);
    const choices = await api.merchant.storeChoices();
    const store = params.get("store") ?? choices[0]?.slug;
    if (store === undefined) return null;
    const counts = await api.agents.count({ store });
    const asked = shown.find((each) => each === params.get("show"));
    const show: Standing = asked ?? (counts.aiDiscovery || counts.isDemo ? "reading" : "discovery_off");
    const read = (at: string | undefined) =>
      api.agents.list({ store, standing: show, ...(query && { query }), cursor: at });
    const looked = await sought(args, ["query"], paged(args, cursor, read));
    return { choices, store, counts, show, query, ...looked };
  });

export const action = (args: ActionFunctionArgs) => decide(args);

type Data = NonNullable<Awaited<ReturnType<typeof loader>>>;
type Row = NonNullable<Data["found"]>["rows"][number];

export default function Agents() {
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageHeader
        actions={data && <StoreChoice choices={data.choices} chosen={data.store} />}
        description="Every AI platform that can read your store, what it read, and your say in it. What you decide holds from the platform's next request on."
        title="AI Agents"
      />
      {!answer && <DoneNote notes={notes} />}
      {data ? (
        <List {...data} />
      ) : (
        <Panel flush>
          <EmptyState icon={Store} title="No store yet">
            The operator sets up a store for you. Then the platforms that can read it are listed here.
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
  const tabs = shown.filter(
    (each) => counts[each] > 0 || each === show || each === (isOff ? "discovery_off" : "reading"),
  );
  return (
    <>
      {!asked && <Refusal errors={errors} />}
      {isOff && (
        <Banner
          actions={
            <ButtonLink size="sm" to={`/merchant/stores/${store}`}>
              Go to the switch
            </ButtonLink>
          }
          title={`AI Discovery is off for ${counts.storeName}: no platform can read it`}
          tone="warning"
        >
          Blocks and grants hold for when it is on again.
        </Banner>
      )}
      <Tabs
        label="Platforms by how they stand"
        tabs={tabs.map((each) => ({
          label: standingWords[each][0],
          to: `?${new URLSearchParams({ store, show: each })}`,
          current: each === show,
          count: counts[each],
        }))}
      />
      {(counts[show] > 25 || query) && (
        <SearchForm error={problems.query} label="Platform or company" value={query}>
          <input name="store" type="hidden" value={store} />
          <input name="show" type="hidden" value={show} />
        </SearchForm>
      )}
      {found?.isAnew && <BackAtStart />}
      <Panel flush footer={(found?.previous || found?.next) && <TurnPages {...found} summary="By name" />}>
        {!found ? (
          <NotSought all={`?${new URLSearchParams({ store, show })}`} />
        ) : found.rows.length > 0 ? (
          <Table
            caption={`Platforms: ${standingWords[show][0]}`}
            columns={columnsFor(store, counts.isDemo)}
            rowKey={({ slug }) => slug}
            rows={found.rows}
          />
        ) : (
          <Nothing counts={counts} query={query} show={show} store={store} />
        )}
      </Panel>
      {asked && (
        <DecisionDialog
          closeTo={closeTo}
          dialog={asked}
          error={errors?.message}
          of={platform!}
          storeName={counts.storeName}
        />
      )}
    </>
  );
}

/** In a list, a platform in explicit coverage that stands open was granted; of blocked ones it shows on their page. */
const decidable = (row: Row) => ({
  ...row,
  granted: row.coverage === "explicit" && (row.standing === "reading" || row.standing === "discovery_off"),
});

function columnsFor(store: string, isDemo: boolean): Column<Row>[] {
  const columns: Column<Row>[] = [
    {
      header: "Platform",
      cell: ({ slug, name, company }) => (
        <span className="flex min-w-0 flex-col">
          <TextLink to={`/merchant/agents/${slug}?${new URLSearchParams({ store })}`}>{name}</TextLink>
          {company && company !== name && <span className="text-[0.8125rem] text-muted">{company}</span>}
        </span>
      ),
    },
    {
      header: "Reads stores",
      cell: ({ coverage }) => (coverage === "explicit" ? "When granted" : "By default"),
    },
    { header: "Since", cell: ({ since }) => <Time at={since} fallback="–" /> },
    { header: "Reads, 7 days", align: "right", cell: ({ last7 }) => grouped(last7) },
    { header: "Reads, 30 days", align: "right", cell: ({ last30 }) => grouped(last30) },
    { header: "Last read", cell: ({ lastAt }) => <Time at={lastAt} fallback="Not in 30 days" /> },
  ];
  if (isDemo) return columns;
  return [
    ...columns,
    { header: "Actions", quiet: true, align: "right", cell: (row) => <Decisions of={decidable(row)} /> },
  ];
}

const emptyWords: Record<Standing, [title: string, why: string]> = {
  reading: [
    "No platform can read the store yet",
    "When a platform goes live, it is listed here and you get a notification. You can block it then.",
  ],
  discovery_off: ["No platform waits", "With AI Discovery on, platforms that go live would be listed here."],
  blocked: ["You have blocked no platform", "A platform that you block is listed here, to be unblocked again."],
  not_granted: [
    "No platform waits for a grant",
    "Platforms that read only stores that were granted to them are listed here until you grant them yours.",
  ],
  ended: ["None has ended", "Platforms that lost their access are listed here."],
};

/** Where there are others, which do not. */
const noneReading: (typeof emptyWords)[Standing] = [
  "No platform can read the store now",
  "Those that there are stand under the other tabs. When another goes live, it is listed here and you get a notification.",
];

function Nothing({ show, query, store, counts }: Pick<Data, "show" | "query" | "store" | "counts">): ReactNode {
  if (query) {
    const all = `?${new URLSearchParams({ store, show })}`;
    return (
      <EmptyState
        action={<ButtonLink to={all}>Show all</ButtonLink>}
        icon={Sparkles}
        title={`Nothing matches “${query}”`}
      >
        Search for a part of the platform's or its company's name.
      </EmptyState>
    );
  }
  const hasOthers = shown.some((each) => counts[each] > 0);
  const [title, why] = show === "reading" && hasOthers ? noneReading : emptyWords[show];
  return (
    <EmptyState icon={Sparkles} title={title}>
      {why}
    </EmptyState>
  );
}
