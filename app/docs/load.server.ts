// What the documentation's pages load: the same on the public site and in the console.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { endpointOf } from "~/lib/endpoint.server";

export const loadOverview = (args: LoaderFunctionArgs) =>
  load(args, async (api) => ({ docs: await api.docs.overview(), endpoint: endpointOf(args) }));

export const loadTool = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [tool, { tools, sandboxScopes }] = await Promise.all([
      api.docs.tool({ name: args.params.tool ?? "" }),
      api.docs.overview(),
    ]);
    const isInSandbox = sandboxScopes.includes(tool.scope);
    return { tool, isInSandbox, tools: tools.map(({ name }) => ({ name })), endpoint: endpointOf(args) };
  });
