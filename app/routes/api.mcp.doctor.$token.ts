import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";

export const action = ({ request, params, context }: ActionFunctionArgs) =>
  context.mcp(request, undefined, params.token);
export const loader = ({ request, params, context }: LoaderFunctionArgs) =>
  context.mcp(request, undefined, params.token);
