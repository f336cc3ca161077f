// The documentation, for anybody.
import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { loadOverview } from "~/docs/load.server";
import { DocsOverviewPage } from "~/docs/overview-page";
import { PublicDocs } from "~/docs/public-frame";
import { mayHaveConsole, ownPlace } from "~/lib/own-place.server";
import { publicMeta } from "~/lib/public-meta";

export const meta: MetaFunction = (args) =>
  publicMeta(args, {
    title: "Documentation · Aisle",
    description:
      "Aisle's commerce tools over the Model Context Protocol: how to connect, arguments, answers, errors and limits.",
  });

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
