// The merchant's stores and what was loaded into them; with one store its catalogue is the page.
import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Store } from "lucide-react";
import { load } from "~/lib/api.server";
import { grouped } from "~/lib/numbers";
import { catalogueOf, isUnderWay, originOf } from "~/merchant/catalogue";
import { FeedBadge } from "~/merchant/feed-badge";
import { OutcomeBadge } from "~/merchant/outcome-badge";
import { EmptyState } from "~/ui/empty-state";
import { PageHeader } from "~/ui/page-header";
import { Panel } from "~/ui/panel";
import { Table } from "~/ui/table";
import { TextLink } from "~/ui/text-link";
import { Time } from "~/ui/time";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Catalogue · Aisle" }];

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const stores = await api.catalogue.stores();
    if (stores.length === 1) throw redirect(catalogueOf(stores[0]!.id));
    return { stores };
  });

export default function Catalogues() {
  const { stores } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader description="The products that agents find in each of your stores." title="Catalogue" />
      <Panel flush>
        {stores.length === 0 ? (
          <EmptyState icon={Store} title="No store yet">
            An operator sets up your store. You can then load its catalogue here.
          </EmptyState>
        ) : (
          <Table
            caption="Stores"
            columns={[
              {
                header: "Store",
                cell: ({ id, name }) => (
                  <TextLink className="font-medium" to={catalogueOf(id)}>
                    {name}
                  </TextLink>
                ),
              },
              { header: "Products", align: "right", cell: ({ products }) => grouped(products) },
              {
                header: "Shows",
                cell: ({ current }) =>
                  current ? (
                    <span className="flex flex-col">
                      <span className="wrap-anywhere">{current.fileName}</span>
                      <span className="text-[0.8125rem] text-muted">
                        {originOf(current)} <Time at={current.finishedAt} />
                      </span>
                    </span>
                  ) : (
                    <span className="text-faint">Nothing yet</span>
                  ),
              },
              {
                header: "Last load",
                cell: ({ current, latest, feed }) => {
                  const load = latest ?? current;
                  return (
                    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5 cards:justify-end">
                      {load ? <OutcomeBadge outcome={load.outcome} /> : <span className="text-faint">None</span>}
                      {load && isUnderWay(load) && (
                        <span className="text-muted tabular-nums">{Math.floor(load.progress * 100)}%</span>
                      )}
                      <FeedBadge feed={feed} />
                    </span>
                  );
                },
              },
            ]}
            rowKey={({ id }) => id}
            rows={stores}
          />
        )}
      </Panel>
    </>
  );
}
