// One tool's documentation, for anybody.
import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadTool } from "~/docs/load.server";
import { PublicDocs } from "~/docs/public-frame";
import { DocsToolPage } from "~/docs/tool-page";

export const meta: MetaFunction<typeof loader> = ({ params }) => [{ title: `${params.tool} · Aisle documentation` }];

export const loader = loadTool;

export default function ToolDocs() {
  const data = useLoaderData<typeof loader>();
  return (
    <PublicDocs>
      <DocsToolPage {...data} base="/docs" />
    </PublicDocs>
  );
}
