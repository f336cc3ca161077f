// A consumer's access: limits and what is used of them, coverage, scopes, terms, directory endpoint; revoked and restored.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accessOf, inputOf } from "~/admin/access-form.server";
import { AccessPanel } from "~/admin/access-panel";
import { ApplicationPanel } from "~/admin/application-panel";
import { useConsumer } from "~/admin/consumer";
import { ReasonDialog } from "~/admin/decision";
import { DirectoryPanel, WithdrawDialog } from "~/admin/directory-panel";
import { InUsePanel } from "~/admin/in-use-panel";
import { StandingPanel } from "~/admin/standing-panel";
import { act, load } from "~/lib/api.server";
import { keepDataForDialog, useDialogParams } from "~/lib/dialog";
import { endpointOf } from "~/lib/endpoint.server";
import { formOf, noIntent } from "~/lib/form.server";
import { DoneNote, type Notes } from "~/ui/done-note";
import { Refusal } from "~/ui/refusal";
import { isRejected } from "~/ui/tier-badge";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `${params.slug} · Consumers · Aisle` }];
export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id: consumerId } = await api.consumers.get({ slug: String(args.params.slug) });
    const [evidence, inUse] = await Promise.all([
      api.consumers.evidence({ consumerId }),
      api.consumers.inUse({ consumerId }),
    ]);
    return { ...evidence, inUse, endpoint: endpointOf(args) };
  });

const notes = {
  access: ["Saved", "It applies from the next request."],
  directory: ["The directory endpoint is live"],
  withdraw: ["The directory endpoint has been withdrawn", "Its next request gets 404."],
  reject: ["Access has been revoked", "Every key is refused."],
  restore: ["Access has been restored, as it was"],
} as const satisfies Notes;
type Intent = keyof typeof notes;

/** The same of a platform that never had access. */
const notesOfApplication = {
  ...notes,
  reject: ["The application has been rejected", "It gets no keys."],
  restore: ["The application has been restored", "It is back in review."],
} as const satisfies Notes;

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  const intent = String(form.get("intent")) as Intent;
  const access = accessOf(form);
  const shown = { slug: String(args.params.slug), version: access.version };
  const outcome = await act(args, async (api) => {
    switch (intent) {
      case "access": {
        const isNone = form.get("source") === "optional" && access.utmSource.trim() === "";
        return void (await api.consumers.change({ ...shown, ...inputOf(access), ...(isNone && { utmSource: null }) }));
      }
      case "directory":
        return void (await api.consumers.change({ ...shown, directorySlug: access.directorySlug }));
      case "withdraw":
        return void (await api.consumers.change({ ...shown, directorySlug: null }));
      case "reject":
        return api.review.reject({ ...shown, reason: access.reason });
      case "restore":
        return api.review.restore(shown);
      default:
        throw noIntent();
    }
  });
  // To the address without a dialog, so that nothing opens again.
  if (outcome.done) return redirect(`/admin/consumers/${shown.slug}?done=${intent}`);
  const { errors, response } = outcome;
  return data({ errors, intent, kept: access }, response.init ?? undefined);
}

export default function Access() {
  const evidence = useLoaderData<typeof loader>();
  const consumer = useConsumer();
  const refused = useActionData<typeof action>();
  const dialog = useDialog();
  const about = (intent: Intent) => (refused?.intent === intent ? refused : undefined);
  const isOfApplication = consumer.state === "under_review" || isRejected(consumer);
  const canIssue = consumer.state === "production" && consumer.directorySlug === null;
  const isShownInForm = dialog || refused?.intent === "access" || (refused?.intent === "directory" && canIssue);
  return (
    <>
      {!refused && <DoneNote notes={isOfApplication ? notesOfApplication : notes} />}
      {!isShownInForm && <Refusal errors={refused?.errors} lookAgain={`/admin/consumers/${consumer.slug}`} />}
      {/* In one column what can be done stands before what was written. */}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-6 max-lg:contents">
          <AccessPanel application={evidence.application} consumer={consumer} refused={about("access")} />
          <div className="min-w-0 max-lg:order-last">
            <ApplicationPanel {...evidence} />
          </div>
        </div>
        <div className="flex min-w-0 flex-col gap-6 max-lg:contents">
          <InUsePanel consumer={consumer} {...evidence.inUse} />
          <DirectoryPanel consumer={consumer} endpoint={evidence.endpoint} refused={about("directory")} />
          <StandingPanel consumer={consumer} />
        </div>
      </div>
      {dialog}
    </>
  );
}

function useDialog() {
  const consumer = useConsumer();
  const refused = useActionData<typeof action>();
  const { dialog, closeTo } = useDialogParams();
  if (dialog === "reject" && consumer.state !== "revoked") {
    return (
      <ReasonDialog closeTo={closeTo} consumer={consumer} errors={refused?.errors} kept={refused?.kept} of="reject" />
    );
  }
  if (dialog === "withdraw" && consumer.directorySlug !== null)
    return <WithdrawDialog closeTo={closeTo} consumer={consumer} errors={refused?.errors} />;
  return null;
}
