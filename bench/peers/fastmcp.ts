// fastmcp, stateless, plain JSON answers.
import { FastMCP } from "fastmcp";
import { z } from "zod";
import { description, port, result } from "./answer";

const server = new FastMCP({ name: "peer", version: "1.0.0" });
server.addTool({
  name: "get_store_info",
  description,
  parameters: z.object({ store_id: z.uuid() }),
  execute: async () => result,
});
await server.start({
  transportType: "httpStream",
  httpStream: { endpoint: "/api/mcp", port, host: "127.0.0.1", stateless: true, enableJsonResponse: true },
});
