// What happened to a consumer, its members and its keys.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { History as HistoryIcon } from "lucide-react";
import { HistoryTable } from "~/admin/history-table";
import { load } from "~/lib/api.server";
import { cursorOf, steps } from "~/lib/walk";
import { EmptyState } from "~/ui/empty-state";
import { Pagination } from "~/ui/pagination";
import { Panel } from "~/ui/panel";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `History of ${params.slug} · Aisle` }];
export const handle = { crumb: "History" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return api.consumers.history({ consumerId: id, cursor: cursorOf(args.request) });
  });

export default function History() {
  const { acts, nextCursor } = useLoaderData<typeof loader>();
  const [params] = useSearchParams();
  return (
    <Panel flush footer={acts.length > 0 && <Pagination summary="Newest first" {...steps(params, nextCursor)} />}>
      {acts.length > 0 ? (
        <HistoryTable acts={acts} />
      ) : (
        <EmptyState icon={HistoryIcon} title="Nothing on record">
          Each act of an operator, a member or a key of this consumer is recorded here.
        </EmptyState>
      )}
    </Panel>
  );
}
