// Review: who waits for a decision, the longest first.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Inbox } from "lucide-react";
import { DomainBadge } from "~/admin/domain-badge";
import { LacksNotice } from "~/admin/lacks-notice";
import { load, paged } from "~/lib/api.server";
import { listParams } from "~/lib/list-params.server";
import { grouped } from "~/lib/numbers";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Review · Aisle" }];
export const handle = { crumb: "Review" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [page, total, lacks] = await Promise.all([
      paged(args, listParams(args.request).cursor, (cursor) => api.review.queue({ cursor })),
      api.review.countWaiting(),
      api.review.lacks(),
    ]);
    return { ...page, total, lacks: { ...lacks, sendsMail: args.context.sendsMail } };
  });

type Waiting = Awaited<ReturnType<typeof loader>>["waiting"][number];

const asks = { under_review: "Sandbox", production_requested: "Production" };

const columns: Column<Waiting>[] = [
  {
    header: "Platform",
    cell: ({ slug, name, company }) => (
      <span className="flex flex-col">
        <span className="wrap-anywhere font-medium">
          <TextLink to={`/admin/review/${slug}`}>{name}</TextLink>
        </span>
        <span className="wrap-anywhere text-[0.8125rem] text-muted">{company}</span>
      </span>
    ),
  },
  { header: "Asks for", cell: ({ state }) => asks[state] },
  { header: "Waiting since", cell: ({ since }) => <Time at={since} /> },
  {
    header: "Domain rule",
    cell: ({ domain }) =>
      domain ? <DomainBadge verdict={domain.verdict} /> : <span className="text-faint">Account deleted</span>,
  },
  {
    header: "Runs on",
    cell: ({ platform }) => <span className="wrap-anywhere inline-block min-w-24">{platform}</span>,
  },
  { header: "Requests a day", align: "right", cell: ({ expectedRequestsPerDay }) => grouped(expectedRequestsPerDay) },
];

export default function ReviewQueue() {
  const { waiting, total, lacks, previous, next, isAnew } = useLoaderData<typeof loader>();
  const summary = total === 1 ? "1 is waiting" : `${grouped(total)} are waiting`;
  return (
    <>
      <PageHeader
        description="Applications and requests for production access, longest waiting first."
        title="Review"
      />
      <LacksNotice {...lacks} />
      {isAnew && <BackAtStart />}
      <Panel flush footer={waiting.length > 0 && <TurnPages next={next} previous={previous} summary={summary} />}>
        {waiting.length > 0 ? (
          <Table caption="Waiting for a decision" columns={columns} rowKey={({ slug }) => slug} rows={waiting} />
        ) : (
          <EmptyState
            action={<ButtonLink to="/admin/consumers">See all consumers</ButtonLink>}
            icon={Inbox}
            title="Nothing to review"
          >
            Applications that are not approved automatically, and requests for production access, appear here.
          </EmptyState>
        )}
      </Panel>
    </>
  );
}
