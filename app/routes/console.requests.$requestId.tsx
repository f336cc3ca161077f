// One request: what was asked, what became of it, and why.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FlaskConical } from "lucide-react";
import { load } from "~/lib/api.server";
import { errorTitle } from "~/lib/error-title";
import { callLink, isLinkable } from "~/playground/run";
import { ButtonLink } from "~/ui/button";
import { JsonView } from "~/ui/json-view";
import { Panel } from "~/ui/panel";
import { isInterrupted } from "~/usage/refusals";
import { ReasonBanner, RequestFacts, RequestHeader } from "~/usage/request-detail";
import { RequestError } from "~/usage/request-error";

export const ErrorBoundary = () => (
  <RequestError
    log="/console/requests"
    why="Requests are kept for 90 days. This one may be older, another platform's, refused before it counted, or its id mistyped."
  />
);

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? "Request · Aisle" : errorTitle(error) },
];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ request: await api.requests.get({ requestId: args.params.requestId! }) }));

export const handle = {
  crumb: ({ request }: Awaited<ReturnType<typeof loader>>) => `…${request.requestId.slice(-8)}`,
};

export default function RequestPage() {
  const { request } = useLoaderData<typeof loader>();
  return (
    <>
      <RequestHeader request={request} />
      <ReasonBanner reader="member" request={request} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <RequestFacts reader="member" request={request} />
        <Asked {...request} />
      </div>
    </>
  );
}

function Asked({
  asked,
  endpoint,
  errorCode,
  isForgotten,
  tool,
}: Pick<
  ReturnType<typeof useLoaderData<typeof loader>>["request"],
  "asked" | "endpoint" | "errorCode" | "isForgotten" | "tool"
>) {
  const given = asked?.arguments;
  const isWhole = given !== null && given !== undefined && asked!.isWhole;
  const link = tool && isWhole && callLink(tool, JSON.stringify(given), endpoint === "directory");
  return (
    <Panel
      actions={
        link &&
        isLinkable(link) &&
        errorCode !== "unknown_tool" && (
          <ButtonLink icon={<FlaskConical aria-hidden />} reloadDocument size="sm" to={link}>
            Run in the Playground
          </ButtonLink>
        )
      }
      description="Kept for 7 days, for members of this platform. Secrets are removed and long values cut."
      flush
      title="What was asked"
    >
      {given !== null && given !== undefined ? (
        <JsonView cut={asked?.cut} open={3} value={given} />
      ) : (
        <p className="px-4 py-6 text-muted text-sm md:px-6">
          {tool && isInterrupted(errorCode)
            ? "Unknown: the request was interrupted before they were recorded."
            : isForgotten
              ? "Deleted: arguments are kept for 7 days."
              : tool
                ? "The call had no arguments."
                : "No tool was called."}
        </p>
      )}
      {asked?.problem && (
        <div className="flex flex-col gap-1.5 border-line border-t px-4 py-4 text-sm md:px-6">
          <h3 className="font-medium">What the caller was told</h3>
          <p className="wrap-anywhere text-pretty text-muted leading-6">{asked.problem}</p>
        </div>
      )}
    </Panel>
  );
}
