// The documentation, in the console.
import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadOverview } from "~/docs/load.server";

import { DocsOverviewPage } from "~/docs/overview-page";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction = () => [{ title: "Documentation · Aisle" }];

export const loader = loadOverview;

export default function ConsoleDocs() {
  const data = useLoaderData<typeof loader>();
  return <DocsOverviewPage {...data} base="/console/docs" hasConsole />;
}
