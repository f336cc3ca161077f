// What happened to a consumer, its members and its keys.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { History as HistoryIcon } from "lucide-react";
import { HistoryTable } from "~/admin/history-table";
import { load, paged } from "~/lib/api.server";
import { listParams } from "~/lib/list-params.server";
import { EmptyState } from "~/ui/empty-state";
import { Panel } from "~/ui/panel";
import { BackAtStart, TurnPages } from "~/ui/turn-pages";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = ({ params }) => [{ title: `History of ${params.slug} · Aisle` }];
export const handle = { crumb: "History" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return paged(args, listParams(args.request).cursor, (cursor) => api.consumers.history({ consumerId: id, cursor }));
  });

export default function History() {
  const { acts, previous, next, isAnew } = useLoaderData<typeof loader>();
  return (
    <>
      {isAnew && <BackAtStart />}
      <Panel flush footer={acts.length > 0 && <TurnPages next={next} previous={previous} summary="Newest first" />}>
        {acts.length > 0 ? (
          <HistoryTable acts={acts} />
        ) : (
          <EmptyState icon={HistoryIcon} title="Nothing on record">
            Everything that operators, members and keys of this consumer do is recorded here.
          </EmptyState>
        )}
      </Panel>
    </>
  );
}
