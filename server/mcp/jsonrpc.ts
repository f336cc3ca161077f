// JSON-RPC 2.0 envelopes: bytes to message, result to text. Pure.

export type Id = string | number;

export interface Request {
  kind: "request";
  id: Id;
  method: string;
  params: unknown;
}
export type Message = Request | { kind: "notification" } | { kind: "response" };

/** What initialize answers, whatever a client asks for. */
export const PROTOCOL_VERSION = "2025-06-18";
/** What MCP-Protocol-Version may say. */
export const protocolVersions = ["2024-11-05", "2025-03-26", PROTOCOL_VERSION, "2025-11-25"];

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

const MAX_DEPTH = 64;

/** What JSON-RPC itself refuses. `id` is null where the message's own could not be read. */
export class RpcError extends Error {
  constructor(
    readonly rpcCode: number,
    readonly http: number,
    message: string,
    readonly data: { code: string; [more: string]: unknown },
    readonly id: Id | null = null,
  ) {
    super(message);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * One message from a request's body.
 * @throws RpcError -32700 when it is not JSON in UTF-8, -32600 when it is not a JSON-RPC 2.0 message
 */
export function parse(body: Uint8Array): Message {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(body));
  } catch {
    throw new RpcError(PARSE_ERROR, 400, "The body is not JSON in UTF-8. Send one JSON object.", {
      code: "parse_error",
    });
  }
  if (isDeeper(value, MAX_DEPTH))
    throw invalidRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`, idOf(value));
  if (Array.isArray(value)) throw invalidRequest("Send one JSON-RPC message per request; batches are not supported.");
  if (!isObject(value)) throw invalidRequest("The body is not a JSON-RPC message.");
  return classify(value);
}

function classify(value: Record<string, unknown>): Message {
  const has = (name: string) => Object.hasOwn(value, name);
  const id = idOf(value);
  if (value.jsonrpc !== "2.0") throw invalidRequest('"jsonrpc" must be "2.0".', id);
  // The error of a request whose id could not be read has the id null, or none (MCP 2025-11-25).
  const isError = !has("method") && (value.id ?? null) === null && has("error");
  if (has("id") && id === null && !isError)
    throw invalidRequest('"id" must be a string or an integer (up to 2^53 - 1).');
  if (!has("method")) {
    if ((id === null && !isError) || has("result") === has("error")) throw invalidRequest('"method" is missing.', id);
    if (has("error") && !isErrorObject(value.error))
      throw invalidRequest('"error" must be an object with an integer "code" and a string "message".', id);
    return { kind: "response" };
  }
  if (typeof value.method !== "string") throw invalidRequest('"method" must be a string.', id);
  if (id === null) {
    if (has("params") && (typeof value.params !== "object" || value.params === null))
      throw invalidRequest('"params" must be an object or an array.');
    return { kind: "notification" };
  }
  return { kind: "request", id, method: value.method, params: has("params") ? value.params : undefined };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isErrorObject = (error: unknown): boolean =>
  isObject(error) && Number.isInteger(error.code) && typeof error.message === "string";

const idOf = (value: unknown): Id | null =>
  typeof value === "object" && value !== null && "id" in value && isId(value.id) ? value.id : null;

const isId = (id: unknown): id is Id => typeof id === "string" || Number.isSafeInteger(id);

const invalidRequest = (message: string, id: Id | null = null) =>
  new RpcError(INVALID_REQUEST, 400, message, { code: "invalid_request" }, id);

/** Stops at the limit, so the recursion itself is bounded. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}

/** @param result JSON text, built once and put in as it is */
export const success = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const failure = (id: Id | null, code: number, message: string, data: Record<string, unknown>): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
