// The log of a platform's requests: newest first, filtered by its address.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { HowToCall } from "~/console/how-to-call";
import { load } from "~/lib/api.server";
import { ButtonLink } from "~/ui/button";
import { PageHeader } from "~/ui/page-header";
import { BackAtStart } from "~/ui/turn-pages";
import { RequestFilters } from "~/usage/request-filters";
import { logOf } from "~/usage/requests.server";
import { RequestsTable } from "~/usage/requests-table";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Requests · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [log, filters] = await Promise.all([
      logOf(args, (input, { key }) => api.requests.list({ ...input, keyId: key })),
      api.requests.filters(),
    ]);
    return { ...log, filters };
  });

export default function Requests() {
  const { page, filters, typed, problems } = useLoaderData<typeof loader>();
  const isFiltered = Object.values(typed).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        description="Requests from your keys, directory endpoint and Playground, kept for 90 days. Each refusal says why."
        title="Requests"
      />
      <RequestFilters {...filters} page="/console/requests" problems={problems} typed={typed} />
      {page.isAnew && <BackAtStart />}
      <RequestsTable
        empty={
          isFiltered
            ? {
                title: "No request matches",
                words: "Ids and filters cover the last 90 days of this platform's requests.",
                action: (
                  <ButtonLink size="sm" to="/console/requests">
                    Show all requests
                  </ButtonLink>
                ),
              }
            : {
                title: "No requests yet",
                words: "Calls with your keys appear here within seconds, including refused ones.",
                action: <HowToCall />,
              }
        }
        isUnread={Object.keys(problems).length > 0}
        log={page}
        page="/console/requests"
      />
    </>
  );
}
