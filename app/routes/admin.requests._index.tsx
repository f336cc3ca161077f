// The log of everybody's requests, and the latest internal errors.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { load } from "~/lib/api.server";
import { useShown } from "~/lib/use-shown";
import { ButtonLink } from "~/ui/button";
import { cx } from "~/ui/cx";
import { controlLook, FieldError } from "~/ui/field";
import { Mono } from "~/ui/mono";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { type Column, Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";
import { BackAtStart } from "~/ui/turn-pages";
import { RequestFilters } from "~/usage/request-filters";
import { logOf } from "~/usage/requests.server";
import { RequestsTable } from "~/usage/requests-table";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Requests · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [log, { tools }, failures] = await Promise.all([
      logOf(args, (input, { consumer }) => api.requests.listAny({ ...input, consumer })),
      api.requests.anyFilters(),
      api.requests.failures(),
    ]);
    return { ...log, tools, failures };
  });

type Failure = Awaited<ReturnType<typeof loader>>["failures"][number];

const columns: Column<Failure>[] = [
  {
    header: "Request",
    cell: ({ requestId }) => (
      <TextLink to={`/admin/requests/${requestId}`}>
        <span className="font-mono text-[0.8125rem]">…{requestId.slice(-8)}</span>
      </TextLink>
    ),
  },
  { header: "Where", cell: ({ door }) => <Mono>{door}</Mono> },
  {
    header: "What",
    cell: ({ name, message }) => (
      <span className="wrap-anywhere line-clamp-2 max-w-xl cards:text-left">
        <span className="font-medium">{name}</span>: {message}
      </span>
    ),
  },
  { header: "When", cell: ({ at }) => <Time at={at} /> },
];

export default function AdminRequests() {
  const { page, tools, failures, typed, problems } = useLoaderData<typeof loader>();
  const consumer = useShown<HTMLInputElement>(typed.consumer);
  const isUnread = Object.keys(problems).length > 0;
  const isFiltered = Object.values(typed).some((value) => value !== undefined);
  const errors = (
    <Panel
      description="The latest twenty from requests, pages and procedures; kept for 30 days."
      flush
      title="Internal errors"
    >
      {failures.length === 0 ? (
        <p className="px-4 py-6 text-muted text-sm md:px-6">None in 30 days.</p>
      ) : (
        <Table caption="Internal errors" columns={columns} rowKey={({ requestId }) => requestId} rows={failures} />
      )}
    </Panel>
  );
  return (
    <>
      <PageHeader
        description="From all consumers, kept for 90 days. What was asked is visible only to the consumer's own members. You can also look up request ids from error pages."
        title="Requests"
      />
      <RequestFilters page="/admin/requests" problems={problems} tools={tools} typed={typed}>
        <div className="flex min-w-0 grow basis-36 flex-col gap-1.5 xl:max-w-44">
          <input
            aria-describedby={problems.consumer && "consumer-problem"}
            aria-invalid={problems.consumer ? true : undefined}
            aria-label="Consumer (slug)"
            className={cx(controlLook, "h-9 pointer-coarse:h-11")}
            defaultValue={typed.consumer}
            name="consumer"
            placeholder="Consumer (slug)"
            ref={consumer}
          />
          <FieldError id="consumer-problem">{problems.consumer}</FieldError>
        </div>
      </RequestFilters>
      {typed.id && !isUnread && page.requests.length === 0 && (
        <p className="text-muted text-sm">
          Not a counted request.{" "}
          <TextLink to={`/admin/requests/${typed.id}`}>Search pages and internal errors</TextLink>.
        </p>
      )}
      {!isFiltered && failures.length > 0 && errors}
      {page.isAnew && <BackAtStart />}
      <RequestsTable
        empty={{
          title: isFiltered ? "No request matches" : "No requests yet",
          words: isFiltered
            ? "Filters cover the last 90 days."
            : "The requests of every consumer appear here within seconds.",
          action: isFiltered && (
            <ButtonLink size="sm" to="/admin/requests">
              Show all requests
            </ButtonLink>
          ),
        }}
        isUnread={isUnread}
        log={page}
        ofAll
        page="/admin/requests"
      />
      {!isFiltered && failures.length === 0 && errors}
    </>
  );
}
