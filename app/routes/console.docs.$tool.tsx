// One tool's documentation, in the console.
import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadTool } from "~/docs/load.server";
import { DocsToolPage } from "~/docs/tool-page";
import { errorTitle } from "~/lib/error-title";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.tool.name} · Aisle documentation` : errorTitle(error) },
];
export const handle = { crumb: ({ tool }: Awaited<ReturnType<typeof loader>>) => tool.name };
export const loader = loadTool;

export default function ConsoleToolDocs() {
  const data = useLoaderData<typeof loader>();
  return <DocsToolPage {...data} base="/console/docs" hasConsole />;
}
