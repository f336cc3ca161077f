// One tool's documentation, for anybody.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { firstSentence } from "~/docs/first-sentence";
import { loadTool } from "~/docs/load.server";
import { PublicDocs } from "~/docs/public-frame";
import { DocsToolPage } from "~/docs/tool-page";
import { errorTitle } from "~/lib/error-title";
import { mayHaveConsole, ownPlace } from "~/lib/own-place.server";
import { publicMeta } from "~/lib/public-meta";

export const meta: MetaFunction<typeof loader> = ({ data, error, ...args }) =>
  data
    ? publicMeta(args, {
        title: `${data.tool.name} · Aisle documentation`,
        description: firstSentence(data.tool.description),
      })
    : [{ title: errorTitle(error) }];

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
