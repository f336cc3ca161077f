// One decision: what it is made from, and its forms. Whoever comes after somebody else has decided sees who it was.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { accessOf, inputOf } from "~/admin/access-form.server";
import { ApplicationPanel } from "~/admin/application-panel";
import { DecisionPanel, ReasonDialog } from "~/admin/decision";
import { HistoryTable } from "~/admin/history-table";
import { enteredOf, StateBadge } from "~/admin/state-badge";
import { UsagePanel } from "~/admin/usage-panel";
import { act, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { errorTitle } from "~/lib/error-title";
import { formOf, noIntent } from "~/lib/form.server";
import { isLate } from "~/lib/is-late";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { DoneNote, type Notes, useNote } from "~/ui/done-note";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { TextLink } from "~/ui/text-link";
import { isRejected } from "~/ui/tier-badge";
import { Time } from "~/ui/time";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.consumer.name} · Review · Aisle` : errorTitle(error) },
];
export const handle = { crumb: ({ consumer }: Awaited<ReturnType<typeof loader>>) => consumer.name };
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.review.get({ slug: String(args.params.slug) }));

const notes = {
  "approve-sandbox": ["Approved for sandbox", "Its owners are told by email."],
  "approve-production": ["Production access has been approved", "Its owners are told by email."],
  decline: ["Production access has been declined", "Its owners see the reason on Overview and by email."],
  reject: ["Access has been revoked", "Its owners see the reason on Overview and by email."],
} as const satisfies Notes;

/** The same of a platform that never had access. */
const notesOfApplication = {
  ...notes,
  reject: ["The application has been rejected", "Its owners see the reason on Overview and by email."],
} as const satisfies Notes;

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  const intent = String(form.get("intent"));
  const access = accessOf(form);
  const updatedAt = String(form.get("applicationUpdatedAt") ?? "");
  const shown = { slug: String(args.params.slug), version: access.version };
  const outcome = await act(args, (api) => {
    switch (intent) {
      case "approve-sandbox":
        return api.review.approveSandbox({ ...shown, ...(updatedAt && { applicationUpdatedAt: updatedAt }) });
      case "approve-production":
        return api.review.approveProduction({
          ...shown,
          ...inputOf(access),
          directorySlug: access.directorySlug || null,
        });
      case "decline":
        return api.review.decline({ ...shown, reason: access.reason });
      case "reject":
        return api.review.reject({ ...shown, reason: access.reason });
      default:
        throw noIntent();
    }
  });
  if (outcome.done) return redirect(`/admin/review/${shown.slug}?done=${intent}`);
  const { errors, response } = outcome;
  return data({ errors, kept: access }, response.init ?? undefined);
}

export default function ReviewPage() {
  const review = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { dialog, closeTo } = useDialogParams();
  const { consumer } = review;
  const isWaiting = consumer.state === "under_review" || consumer.state === "production_requested";
  const isChoosing = isWaiting && (dialog === "reject" || (dialog === "decline" && consumer.state !== "under_review"));
  const isConflict = !isChoosing && isLate(answer?.errors);
  const isDone = useNote(notes) !== undefined && !answer;
  // What came of a decision stands at the top; the form that had the focus may be gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer is another result
  useEffect(() => {
    if (!isConflict && !isDone) return;
    window.scrollTo(0, 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [answer, isConflict, isDone]);
  return (
    <>
      <PageHeader
        actions={
          isWaiting && (
            <ButtonLink className="lg:hidden" to="#decision">
              Decide
            </ButtonLink>
          )
        }
        badge={<StateBadge of={consumer} />}
        description={
          <>
            {enteredOf(consumer)} <Time at={consumer.stateSince} />.{" "}
            <TextLink to={`/admin/consumers/${consumer.slug}`}>Limits, members, keys</TextLink>
          </>
        }
        title={consumer.name}
      />
      {!answer && <DoneNote notes={isRejected(consumer) ? notesOfApplication : notes} />}
      {!isWaiting && <Decided />}
      {answer && isConflict && (
        <Banner
          actions={
            <ButtonLink size="sm" to={`/admin/review/${consumer.slug}`}>
              Refresh
            </ButtonLink>
          }
          title={answer.errors.message}
          tone="danger"
        />
      )}
      <div className={cx("grid items-start gap-6", isWaiting && "lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]")}>
        <div className="flex min-w-0 flex-col gap-6">
          <ApplicationPanel {...review} />
          <UsagePanel slug={consumer.slug} title="Usage so far" usage={review.usage} />
          {review.acts.length > 0 && (
            <Panel
              actions={
                <ButtonLink size="sm" to={`/admin/consumers/${consumer.slug}/history`}>
                  See full history
                </ButtonLink>
              }
              flush
              title="History"
            >
              <HistoryTable acts={review.acts.slice(0, 10)} brief />
            </Panel>
          )}
        </div>
        {isWaiting && (
          <div className="min-w-0" id="decision" tabIndex={-1}>
            <DecisionPanel errors={isChoosing ? undefined : answer?.errors} kept={answer?.kept} review={review} />
          </div>
        )}
      </div>
      {isChoosing && (
        <ReasonDialog closeTo={closeTo} consumer={consumer} errors={answer?.errors} kept={answer?.kept} of={dialog} />
      )}
    </>
  );
}

/** Who decided, where nothing waits any more. */
function Decided() {
  const { acts, consumer } = useLoaderData<typeof loader>();
  const act = acts.find(({ changes }) => changes.some(({ field }) => field === "state"));
  return (
    <Banner
      actions={
        <ButtonLink size="sm" to="/admin">
          Back to the queue
        </ButtonLink>
      }
      title={act ? `${act.who} ${act.did}` : "Nothing is waiting for a decision here"}
      tone={consumer.state === "revoked" ? "danger" : "success"}
    >
      {act && <Time at={act.at} />}
      {/* What stands again once access is restored was decided before. */}
      {act?.action !== "consumer.restore" && consumer.decisionReason && (
        <p className="wrap-anywhere whitespace-pre-line">{consumer.decisionReason}</p>
      )}
    </Banner>
  );
}
