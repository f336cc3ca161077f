// @modelcontextprotocol/server v2 straight on node:http, stateless, plain JSON answers.
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { description, port, result } from "./answer";

const inputSchema = z.object({ store_id: z.uuid() });

function newServer(): McpServer {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  server.registerTool("get_store_info", { description, inputSchema }, async () => result);
  return server;
}

createServer(async (req, res) => {
  if (req.method !== "POST") return void res.writeHead(405).end();
  const server = newServer();
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  await server.connect(transport);
  await transport.handleRequest(req, res);
}).listen(port, "127.0.0.1");
