// One tool's documentation, for anybody.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadTool } from "~/docs/load.server";
import { PublicDocs } from "~/docs/public-frame";
import { DocsToolPage } from "~/docs/tool-page";
import { errorTitle } from "~/lib/error-title";
import { mayHaveConsole, ownPlace } from "~/lib/own-place.server";

export const meta: MetaFunction<typeof loader> = ({ data, error }) => [
  { title: data ? `${data.tool.name} · Aisle documentation` : errorTitle(error) },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const [tool, home] = await Promise.all([loadTool(args), ownPlace(args)]);
  return { ...tool, home, hasConsole: mayHaveConsole(home) };
};

export default function ToolDocs() {
  const { home, ...data } = useLoaderData<typeof loader>();
  return (
    <PublicDocs home={home}>
      <DocsToolPage {...data} base="/docs" />
    </PublicDocs>
  );
}
