// Overview: where the consumer stands, its limits and what is used of them, the last day, and how to connect.
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { ActivityPanel } from "~/console/activity-panel";
import { ConnectPanel, DirectoryPanel } from "~/console/connect-panel";
import { useCurrent } from "~/console/current";
import { expectShown } from "~/console/expect-shown.server";
import { LimitsPanel } from "~/console/limits-panel";
import type { Overview } from "~/console/overview";
import { DecisionNotice, ExpiryNotice, TermsNotice } from "~/console/overview-notices";
import { Path } from "~/console/path";
import { act, load } from "~/lib/api.server";
import { endpointOf } from "~/lib/endpoint.server";
import { noIntent, typed } from "~/lib/form.server";
import { useLastingAnswer, useLookAgain } from "~/lib/look-again";
import { DoneNote } from "~/ui/done-note";
import { PageHeader } from "~/ui/page-header";
import { Refusal } from "~/ui/refusal";
import { isRejected } from "~/ui/tier-badge";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Overview · Aisle" }];
export const handle = { crumb: "Overview" };

/** So often an open page looks again at what is used and whether the first call came. */
const LOOK_AGAIN_MS = 10_000;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ overview: await api.consumer.overview(), endpoint: endpointOf(args) }));

export async function action(args: ActionFunctionArgs) {
  const { intent, version, consumerId } = await typed(args.request, "intent", "version", "consumerId");
  const outcome = await act(args, async (api) => {
    await expectShown(api, consumerId);
    switch (intent) {
      case "accept-terms":
        return api.terms.accept({ version });
      case "request-production":
        return api.consumer.requestProduction();
      default:
        throw noIntent();
    }
  });
  if (!outcome.done) return outcome.response;
  return redirect(`/console?done=${intent === "accept-terms" ? "terms" : "requested"}`);
}

const notes = {
  requested: ["Production access has been requested", "We will reply by email."],
  terms: ["Terms accepted", "New keys can be issued again."],
} as const;
/** Its first key comes with the approval. */
const notesUnderReview = { ...notes, terms: ["Terms accepted"] } as const;

export default function OverviewPage() {
  const { overview, endpoint } = useLoaderData<typeof loader>();
  const isOwner = useCurrent().role === "owner";
  const answer = useLastingAnswer<typeof action>();
  useLookAgain(LOOK_AGAIN_MS);
  // Until production the way there comes first, from then on what goes through; before the first call, how to make it.
  // Nothing moves under whoever has the page open as that comes.
  const [{ isLive, hasBegun }] = useState({
    isLive: overview.state === "production",
    hasBegun: overview.firstCallAt !== null,
  });
  const path = <Path isOwner={isOwner} overview={overview} />;
  // With access revoked every call is refused: there is nothing to connect to.
  const connects = overview.state !== "revoked";
  const mayCall = overview.state !== "under_review" && !isRejected(overview);
  const activity = <ActivityPanel lastDay={overview.lastDay} />;
  return (
    <>
      <PageHeader description={standing(overview)} title={overview.name} />
      {!answer && <DoneNote notes={overview.state === "under_review" ? notesUnderReview : notes} />}
      <Refusal errors={answer?.errors} />
      <DecisionNotice {...overview} />
      <TermsNotice isOwner={isOwner} {...overview} />
      <ExpiryNotice expiring={overview.expiring} isOwner={isOwner} />
      <div className="grid items-stretch gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {isLive ? activity : path}
        <LimitsPanel isOwner={isOwner} overview={overview} />
      </div>
      {!isLive && hasBegun && activity}
      {connects && (
        <ConnectPanel
          directory={overview.directorySlug && `${endpoint}/p/${overview.directorySlug}`}
          endpoint={endpoint}
          keys={overview.limits.keys.active}
        />
      )}
      {connects && overview.directorySlug && <DirectoryPanel endpoint={endpoint} slug={overview.directorySlug} />}
      {isLive ? path : !hasBegun && mayCall && activity}
    </>
  );
}

function standing(overview: Overview): string {
  if (isRejected(overview)) return "The application was rejected.";
  return {
    under_review: "The application is under review.",
    sandbox: `In sandbox: ${overview.hasDemoStore ? "the tools read the demo store" : "there is no demo store to read yet"}.`,
    production_requested: "In sandbox; production access has been requested.",
    production: "In production: the tools read the stores in your coverage.",
    revoked: "Access was revoked: every key is refused.",
  }[overview.state];
}
