// @modelcontextprotocol/sdk v1 on Express, stateless, plain JSON answers: as its documentation shows it.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { z } from "zod";
import { description, port, result } from "./answer";

const inputSchema = { store_id: z.uuid() };

function newServer(): McpServer {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  server.registerTool("get_store_info", { description, inputSchema }, async () => result);
  return server;
}

const app = express();
app.use(express.json());
app.post("/api/mcp", async (req, res) => {
  const server = newServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  res.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(req, res, req.body);
});
app.listen(port, "127.0.0.1");
