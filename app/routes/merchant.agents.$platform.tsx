// One platform and one store: since when, what it read, what it sees, and the merchant's say.
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { load, sought } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { errorTitle } from "~/lib/error-title";
import { listParams } from "~/lib/list-params.server";
import { grouped } from "~/lib/numbers";
import { decide, storeOf } from "~/merchant/decide.server";
import { askedOf, DecisionDialog, Decisions } from "~/merchant/decisions";
import { notes } from "~/merchant/notes";
import { PreviewPanel } from "~/merchant/preview-panel";
import { ReadsPanels } from "~/merchant/reads-panels";
import { StandingBadge, standingWords } from "~/merchant/standing";
import { StoreChoice } from "~/merchant/store-choice";
import { Banner } from "~/ui/banner";
import { DoneNote } from "~/ui/done-note";
import { Dotted } from "~/ui/dotted";
import { Facts } from "~/ui/facts";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { Stat, Stats } from "~/ui/stat";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.platform.name} · AI Agents · Aisle` : errorTitle(error) },
];
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { query } = listParams(args.request);
    const store = await storeOf(args);
    const pair = { store, platform: args.params.platform! };
    const [choices, platform, reads, { found, problems }] = await Promise.all([
      api.merchant.storeChoices({ shown: store }),
      api.agents.get(pair),
      api.agents.reads(pair),
      sought(args, ["query"], api.agents.preview({ ...pair, ...(query && { query }) })),
    ]);
    const preview = found ?? { ...(await api.agents.preview(pair)), found: undefined };
    return { choices, store, query, problems, platform, reads, preview };
  });

export const handle = { crumb: ({ platform }: Awaited<ReturnType<typeof loader>>) => platform.name };

export const action = (args: ActionFunctionArgs) => decide(args);

export default function Agent() {
  const { choices, store, query, problems, platform, reads, preview } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, closeTo } = useDialogParams();
  const asked = askedOf(dialog, platform);
  const { name, company, website, standing, storeName, isDemo, since, last7, last30, lastAt } = platform;
  return (
    <>
      <PageHeader
        actions={
          <>
            <StoreChoice choices={choices} chosen={store} />
            {!isDemo && <Decisions of={platform} size="md" store={store} />}
          </>
        }
        badge={<StandingBadge of={standing} />}
        description={<Dotted>{[company, website && hostOf(website)].filter(Boolean)}</Dotted>}
        title={name}
      />
      {!answer && <DoneNote notes={notes} />}
      {!asked && <Refusal errors={answer?.errors} />}
      {standing !== "reading" && (
        <Banner title={standingWords[standing][2]} tone={standing === "blocked" ? "warning" : "neutral"} />
      )}
      <Stats>
        <Stat label="Reads in 7 days" value={grouped(last7)} />
        <Stat label="Reads in 30 days" value={grouped(last30)} />
        <Stat label="Last read" value={<Time at={lastAt} fallback="Not in 30 days" />} />
        <Stat label={`${standingWords[standing][0]} since`} value={<Time at={since} fallback="–" />} />
      </Stats>
      <ReadsPanels reads={reads} storeName={storeName} />
      <PreviewPanel
        problem={problems.query}
        platform={name}
        preview={preview}
        query={query}
        store={store}
        storeName={storeName}
      />
      <Panel description="From its application." title="About the platform">
        <Facts facts={facts(platform)} />
      </Panel>
      {asked && (
        <DecisionDialog
          closeTo={closeTo}
          dialog={asked}
          errors={answer?.errors}
          of={platform}
          store={store}
          storeName={storeName}
        />
      )}
    </>
  );
}

const hostOf = (website: string) => (URL.canParse(website) ? new URL(website).host : website);

const readsWhat: Record<string, string> = {
  "catalog:read": "products and policies",
  "offers:read": "offers",
  "promotions:read": "promotions",
  "loyalty:read": "loyalty programmes",
  "inventory:read": "exact stock",
};

function facts(platform: Awaited<ReturnType<typeof loader>>["platform"]): [string, ReactNode][] {
  const { runsOn, shopperUse, scopes, coverage, company, website } = platform;
  const what = scopes.map((scope) => readsWhat[scope]).filter(Boolean);
  const all: [string, ReactNode][] = [
    ["Company", company],
    ["Website", website],
    [
      "Runs on",
      runsOn && (
        <span className="block first-letter:uppercase" key="runs-on">
          {runsOn}
        </span>
      ),
    ],
    ["How shoppers use it", shopperUse],
    [
      "May read",
      what.length > 0 && (
        <span className="block first-letter:uppercase" key="what">
          {what.join(", ")}
        </span>
      ),
    ],
    ["Reads stores", coverage === "explicit" ? "Only those granted to it" : "By default, unless blocked"],
  ];
  return all.filter(([, value]) => Boolean(value));
}
