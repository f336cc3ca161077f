// The inbox: which platform went live and can read which store; and how often that is mailed.
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { Bell } from "lucide-react";
import { act, load, paged } from "~/lib/api.server";
import { formOf, noIntent } from "~/lib/form.server";
import { listParams } from "~/lib/list-params.server";
import { DigestForm } from "~/merchant/digest-form";
import { doneAt, notes } from "~/merchant/notes";
import { ButtonLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { DoneNote } from "~/ui/done-note";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Refusal } from "~/ui/refusal";
import { SubmitButton } from "~/ui/submit-button";
import { Tabs } from "~/ui/tabs";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { keepPage as clientAction } from "~/lib/keep-page";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Notifications · Aisle" }];
export const handle = { crumb: "Notifications" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { cursor, params } = listParams(args.request);
    const unread = params.get("show") === "unread";
    const [page, digest, merchant] = await Promise.all([
      paged(args, cursor, (at) => api.notifications.list({ ...(unread && { unread }), cursor: at })),
      api.notifications.digest(),
      api.merchant.current(),
    ]);
    return { ...page, digest, unread, unreadCount: merchant.unread, merchantId: merchant.merchantId };
  });

export async function action(args: ActionFunctionArgs) {
  const form = await formOf(args.request);
  const intent = String(form.get("intent"));
  const outcome = await act(args, async (api) => {
    const merchantId = form.get("merchantId");
    if (merchantId) await api.merchant.expect({ merchantId: String(merchantId) });
    if (intent === "read") return api.notifications.markRead({ id: String(form.get("id")) });
    const until = form.get("until");
    if (intent === "read-all") return api.notifications.markAllRead(until ? { until: String(until) } : {});
    if (intent !== "digest") throw noIntent();
    type Input = Parameters<typeof api.notifications.setDigest>[0];
    const frequency = String(form.get("frequency"));
    const mine = form.has("mine");
    // Whoever was shown something and left it so has not chosen it.
    const change = {
      ...(frequency !== form.get("shownFrequency") && { frequency }),
      ...(String(mine) !== form.get("shownMine") && { mine }),
    };
    // Whatever was sent is checked by the procedure.
    return api.notifications.setDigest(change as Input);
  });
  if (outcome.done) return redirect(doneAt(args.request, intent === "digest" ? "digest" : "read"));
  return data({ errors: outcome.errors, intent }, outcome.response.init ?? undefined);
}

type Data = Awaited<ReturnType<typeof loader>>;

export default function Notifications() {
  const { rows, previous, next, isAnew, asOf, digest, unread, unreadCount, merchantId } =
    useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <PageHeader
        actions={
          unreadCount > 0 && (
            <Form method="post" preventScrollReset>
              <input name="intent" type="hidden" value="read-all" />
              <input name="merchantId" type="hidden" value={merchantId} />
              <input name="until" type="hidden" value={asOf} />
              <SubmitButton variant="secondary">Mark all as read</SubmitButton>
            </Form>
          )
        }
        description="You are notified here, once per store, when an AI platform goes live and can read it."
        title="Notifications"
      />
      {!answer && <DoneNote notes={notes} />}
      {answer?.intent !== "digest" && <Refusal errors={answer?.errors} />}
      <Tabs
        label="Notifications"
        tabs={[
          { label: "All", to: "/merchant/notifications", current: !unread },
          { label: "Unread", to: "?show=unread", current: unread, count: unreadCount },
        ]}
      />
      {isAnew && <BackAtStart />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel
          flush
          footer={previous || next ? <TurnPages next={next} previous={previous} summary="Newest first" /> : undefined}
        >
          {rows.length > 0 ? (
            <ul
              className="divide-y divide-line"
              data-said={`Notifications: ${rows.length} ${rows.length === 1 ? "row" : "rows"}`}
            >
              {rows.map((notification) => (
                <Entry key={notification.id} of={notification} />
              ))}
            </ul>
          ) : (
            <Nothing unread={unread} />
          )}
        </Panel>
        <Panel description="All new notifications in one email." title="Digest">
          <DigestForm
            digest={digest}
            errors={answer?.intent === "digest" ? answer.errors : undefined}
            merchantId={merchantId}
          />
        </Panel>
      </div>
    </>
  );
}

function Entry({ of: { id, at, readAt, platform, store } }: { of: Data["rows"][number] }) {
  return (
    <li className="flex items-center justify-between gap-x-4 gap-y-2 px-4 py-3 max-sm:flex-wrap md:px-6">
      <div className="flex min-w-0 items-start gap-3">
        <span
          aria-hidden
          className={cx("mt-2 size-1.5 shrink-0 rounded-full", readAt ? "bg-transparent" : "bg-accent-fill")}
        />
        <div className="flex min-w-0 flex-col gap-0.5">
          <p className={cx("wrap-anywhere text-sm leading-6", !readAt && "font-medium")}>
            {!readAt && <span className="sr-only">Unread: </span>}
            <TextLink to={`/merchant/agents/${platform.slug}?${new URLSearchParams({ store: store.slug })}`}>
              {platform.name}
            </TextLink>{" "}
            went live and can read {store.name}
          </p>
          <p className="text-[0.8125rem] text-muted">
            <Time at={at} />
          </p>
        </div>
      </div>
      {!readAt && (
        <Form className="shrink-0 max-sm:pl-2" method="post" preventScrollReset>
          <input name="intent" type="hidden" value="read" />
          <input name="id" type="hidden" value={id} />
          <SubmitButton aria-label={`Mark as read: ${platform.name}, ${store.name}`} size="sm" variant="ghost">
            Mark as read
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

const Nothing = ({ unread }: { unread: boolean }) =>
  unread ? (
    <EmptyState action={<ButtonLink to="/merchant/notifications">Show all</ButtonLink>} icon={Bell} title="All read">
      New notifications are listed here until someone marks them as read.
    </EmptyState>
  ) : (
    <EmptyState
      action={<ButtonLink to="/merchant/agents">See AI Agents</ButtonLink>}
      icon={Bell}
      title="No notifications yet"
    >
      When a platform goes live and can read one of your stores, it is announced here.
    </EmptyState>
  );
