// The methods of MCP that we serve: initialize, ping, tools/list, tools/call.
import { VERSION } from "../changelog";
import type { Consumer, Ctx } from "../context";
import * as pipeline from "../pipeline";
import { descriptor } from "../tools/descriptor";
import { type Answer, ok, toolResult } from "./answers";
import { INVALID_PARAMS, isObject, METHOD_NOT_FOUND, PROTOCOL_VERSION, type Request, RpcError } from "./jsonrpc";

const initializeResult = JSON.stringify({
  protocolVersion: PROTOCOL_VERSION,
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: "aisle-commerce", version: VERSION },
  instructions:
    "Aisle answers shoppers' questions from real merchants' catalogues. Call list_stores to see which stores you can read and search_products to find products (list_categories to see what a store sells, lookup_products for known ids or GTINs), then get_product, get_offers, get_promotions, get_loyalty_program or check_inventory for details. For questions about a store itself, call search_store_policies (delivery, returns, payment, services) or get_store_info (address, opening hours, contact). Always link shoppers to product_url exactly as given. Aisle never takes orders: checkout happens on the merchant's own site. Prices and stock are as of data_as_of.",
});

/**
 * Runs one request. Tells `onCall` of a tool call before it runs, so that its usage row can name it even if it fails.
 * @throws RpcError, DomainError
 */
export async function run(
  ctx: Ctx<Consumer>,
  request: Request,
  onCall: (call: pipeline.PreparedCall) => void,
): Promise<Answer> {
  switch (request.method) {
    case "initialize":
      checkInitialize(request);
      return ok(request.id, initializeResult);
    case "ping":
      optionalParams(request);
      return ok(request.id, "{}");
    case "tools/list":
      return ok(request.id, listTools(ctx, request));
    case "tools/call": {
      const params = objectParams(request);
      if (typeof params.name !== "string") throw invalidParams(request, "name", "must be the name of a tool");
      if (params.arguments !== undefined && !isObject(params.arguments)) {
        throw invalidParams(request, "arguments", "must be an object");
      }
      const call = pipeline.prepare(ctx, pipeline.findTool(ctx, params.name), params.arguments ?? {});
      onCall(call);
      return toolResult(request.id, await call.run());
    }
    default:
      throw new RpcError(
        METHOD_NOT_FOUND,
        200,
        `There is no method "${request.method.slice(0, 100).toWellFormed()}". Use initialize, ping, tools/list or tools/call.`,
        { code: "method_not_found" },
        request.id,
      );
  }
}

/** Does the caller see a directory endpoint? It takes no key, so nothing is said of keys. */
export const isDirectory = ({ endpoint, asDirectory }: Consumer): boolean =>
  endpoint === "directory" || asDirectory === true;

function listTools(ctx: Ctx<Consumer>, request: Request): string {
  const params = optionalParams(request);
  if (params.cursor !== undefined) throw invalidParams(request, "cursor", "is unknown: the list has one page");
  const directory = isDirectory(ctx.actor);
  return `{"tools":[${pipeline
    .listTools(ctx)
    .map((tool) => descriptor(tool, directory))
    .join(",")}]}`;
}

function checkInitialize(request: Request): void {
  const params = objectParams(request);
  if (typeof params.protocolVersion !== "string") throw invalidParams(request, "protocolVersion", "must be a string");
  if (!isObject(params.capabilities)) throw invalidParams(request, "capabilities", "must be an object");
  if (!isObject(params.clientInfo)) throw invalidParams(request, "clientInfo", "must be an object");
  for (const field of ["name", "version"]) {
    if (typeof params.clientInfo[field] !== "string")
      throw invalidParams(request, `clientInfo.${field}`, "must be a string");
  }
}

const optionalParams = (request: Request) => (request.params === undefined ? {} : objectParams(request));

function objectParams(request: Request): Record<string, unknown> {
  if (!isObject(request.params)) throw invalidParams(request, "params", "must be an object");
  return request.params;
}

const invalidParams = (request: Request, field: string, message: string) =>
  new RpcError(
    INVALID_PARAMS,
    200,
    `${field === "params" ? field : `params.${field}`} ${message}.`,
    { code: "invalid_params", field },
    request.id,
  );
