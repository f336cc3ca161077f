// The documentation, for anybody.
import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadOverview } from "~/docs/load.server";
import { DocsOverviewPage } from "~/docs/overview-page";
import { PublicDocs } from "~/docs/public-frame";

export const meta: MetaFunction = () => [{ title: "Documentation · Aisle" }];

export const loader = loadOverview;

export default function Docs() {
  const data = useLoaderData<typeof loader>();
  return (
    <PublicDocs>
      <DocsOverviewPage {...data} base="/docs" />
    </PublicDocs>
  );
}
