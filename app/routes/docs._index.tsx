// The documentation, for anybody.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadOverview } from "~/docs/load.server";
import { DocsOverviewPage } from "~/docs/overview-page";
import { PublicDocs } from "~/docs/public-frame";
import { mayHaveConsole, ownPlace } from "~/lib/own-place.server";

export const meta: MetaFunction = () => [{ title: "Documentation · Aisle" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const [docs, home] = await Promise.all([loadOverview(args), ownPlace(args)]);
  return { ...docs, home, hasConsole: mayHaveConsole(home) };
};

export default function Docs() {
  const { home, ...data } = useLoaderData<typeof loader>();
  return (
    <PublicDocs home={home}>
      <DocsOverviewPage {...data} base="/docs" />
    </PublicDocs>
  );
}
