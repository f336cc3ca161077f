import type { LoaderFunctionArgs } from "@remix-run/node";

/** The MCP endpoint's address, as whoever reads the page reaches us. */
export const endpointOf = ({ request }: Pick<LoaderFunctionArgs, "request">) => new URL("/api/mcp", request.url).href;
