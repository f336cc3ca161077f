// One store of the merchant's: its head and its views, each a page of its own.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { Badge } from "~/ui/badge";
import { PageHeader } from "~/ui/page-header";
import { Tabs } from "~/ui/tabs";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, (api) => api.merchant.store({ store: args.params.slug! }));

export const handle = { crumb: ({ name }: Awaited<ReturnType<typeof loader>>) => name };

const views = [
  ["", "Store"],
  ["/details", "Details"],
  ["/products", "Products"],
  ["/stock", "Stock"],
  ["/promotions", "Promotions"],
  ["/loyalty", "Loyalty"],
  ["/policies", "Policies"],
] as const;

export default function StorePage() {
  const { slug, name, url, isDemo, aiDiscovery } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const base = `/merchant/stores/${slug}`;
  const badge = isDemo ? (
    <Badge tone="accent">Demo store</Badge>
  ) : (
    <Badge tone={aiDiscovery ? "success" : "neutral"}>{aiDiscovery ? "AI Discovery on" : "AI Discovery off"}</Badge>
  );
  return (
    <>
      <PageHeader badge={badge} description={new URL(url).host} title={name} />
      <Tabs
        label={`Views of ${name}`}
        tabs={views.map(([path, label]) => ({
          label,
          to: `${base}${path}`,
          current: pathname.replace(/\/$/, "") === `${base}${path}`,
        }))}
      />
      <Outlet />
    </>
  );
}
