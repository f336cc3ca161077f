import type { LoaderFunctionArgs } from "@remix-run/node";

/** The MCP endpoint's address, as the public reaches us. */
export const endpointOf = ({ context }: Pick<LoaderFunctionArgs, "context">) =>
  new URL("/api/mcp", context.baseUrl).href;
