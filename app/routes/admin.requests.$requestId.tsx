// What is known of a request by its id, for support: its row, and what failed.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { load } from "~/lib/api.server";
import { errorTitle } from "~/lib/error-title";
import { exactTime } from "~/lib/relative-time";
import { Badge } from "~/ui/badge";
import { CodeBlock } from "~/ui/code-block";
import { CopyField } from "~/ui/copy-field";
import { Facts } from "~/ui/facts";
import { Mono } from "~/ui/mono";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { ReasonBanner, RequestFacts, RequestHeader } from "~/usage/request-detail";
import { RequestError } from "~/usage/request-error";
import { ConsumerLink } from "~/usage/requests-table";

export const ErrorBoundary = () => (
  <RequestError
    log="/admin/requests"
    why="Requests are kept for 90 days, internal errors for 30. This one may be older, a page's, refused before it counted, or its id mistyped."
  />
);

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? "Request · Aisle" : errorTitle(error) },
];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { request, failure } = await api.requests.getAny({ requestId: args.params.requestId! });
    return { request, failure, requestId: args.params.requestId! };
  });

export const handle = {
  crumb: ({ requestId }: Awaited<ReturnType<typeof loader>>) => `…${requestId.slice(-8)}`,
};

export default function AdminRequest() {
  const { request, failure } = useLoaderData<typeof loader>();
  return (
    <>
      {request ? (
        <>
          <RequestHeader request={request} />
          <ReasonBanner reader="operator" request={request} />
          <RequestFacts
            more={
              request.consumer
                ? [
                    [
                      "Consumer",
                      <span className="flex flex-wrap items-baseline gap-x-2" key="consumer">
                        <ConsumerLink name={request.consumerName} slug={request.consumer} />{" "}
                        <span className="wrap-anywhere font-mono text-muted text-xs">{request.consumer}</span>
                      </span>,
                    ],
                  ]
                : []
            }
            reader="operator"
            request={request}
          />
        </>
      ) : (
        <PageHeader
          badge={<Badge tone="danger">Failed</Badge>}
          description={failure && exactTime(new Date(failure.at))}
          title="Internal error"
        />
      )}
      {failure && <What failure={failure} isAlone={!request} />}
    </>
  );
}

type Failure = NonNullable<Awaited<ReturnType<typeof loader>>["failure"]>;

const What = ({ failure, isAlone }: { failure: Failure; isAlone: boolean }) => (
  <Panel description="As logged under the same request id; values from the database are left out." title="What failed">
    <div className="flex flex-col gap-5">
      {isAlone && <CopyField label="Request id" value={failure.requestId} />}
      <Facts
        facts={[
          ["Where", <Mono key="door">{failure.door}</Mono>],
          ["Error", failure.name],
          ["Message", failure.message],
        ]}
      />
      {failure.stack && <CodeBlock code={failure.stack} label="Stack" language="http" />}
    </div>
  </Panel>
);
