// Every way in which the endpoint refuses, in the order in which it checks: for the documentation and the client doctor.
// tests/mcp/refusal-table.test.ts sends each of them, save the last two, and compares.
export interface Refusal {
  id: string;
  /** When it answers so. */
  when: string;
  /** The HTTP status. */
  status: number;
  /** `data.code` of a JSON-RPC error, or `code` in a tool result with `isError`. */
  code: string;
  /** JSON-RPC's own code; null where the answer is a tool result, so that a model can fix its call. */
  rpcCode: number | null;
  /** What to do. */
  mend: string;
}

const refusal = <Id extends string>(
  id: Id,
  status: number,
  rpcCode: number | null,
  code: string,
  when: string,
  mend: string,
): Refusal & { id: Id } => ({ id, status, rpcCode, code, when, mend });

export const refusals = [
  refusal(
    "address",
    404,
    404,
    "bad_request",
    "A different address from the endpoint's; with 400, 408, 413, 414, 417, 421, 431 or 505, a request that never reached it.",
    "POST to the endpoint's exact address; the message says what else is wrong.",
  ),
  refusal(
    "method",
    405,
    -32600,
    "method_not_allowed",
    "The method is not POST.",
    "Send every message by POST. There is no event stream to GET and no session to DELETE.",
  ),
  refusal(
    "origin",
    403,
    403,
    "origin_not_allowed",
    "The browser's Origin is neither ours nor allowed.",
    "Call from a server: pages of other sites cannot call, whatever is allowed (there is no CORS). For a browser extension or desktop app, ask the operator to allow its Origin.",
  ),
  refusal(
    "content_encoding",
    415,
    415,
    "unsupported_content_encoding",
    "The body is compressed.",
    "Send the body as it is, without Content-Encoding.",
  ),
  refusal(
    "content_type",
    415,
    415,
    "unsupported_media_type",
    "Content-Type is not application/json.",
    "Send Content-Type: application/json.",
  ),
  refusal(
    "accept",
    406,
    406,
    "not_acceptable",
    "Accept does not name both application/json and text/event-stream.",
    "Send Accept: application/json, text/event-stream. A bare */* is not enough.",
  ),
  refusal(
    "size",
    413,
    413,
    "body_too_large",
    "The body is larger than 256 KiB.",
    "Request less at a time: lists are paged.",
  ),
  refusal(
    "endpoint",
    404,
    404,
    "unknown_endpoint",
    "The address of a directory endpoint, or of a client check, is unknown, withdrawn or over.",
    "Copy the address from Overview, or start another client check.",
  ),
  refusal(
    "key_missing",
    401,
    401,
    "missing_token",
    "No Authorization header.",
    "Send Authorization: Bearer <key>. A key in the address or in another header is not read.",
  ),
  refusal(
    "key",
    401,
    401,
    "invalid_token",
    "The key is malformed, unknown, revoked or expired, or access was revoked; reason says which.",
    "Send the whole key as it was shown, or issue another on the Keys page.",
  ),
  refusal("json", 400, -32700, "parse_error", "The body is not JSON in UTF-8.", "Send one JSON object as the body."),
  refusal(
    "message",
    400,
    -32600,
    "invalid_request",
    "Not one JSON-RPC 2.0 message: a batch, no method, an id that is null or fractional…",
    'Send one object with "jsonrpc": "2.0", an "id" that is a string or an integer, and a "method". Batches are not supported.',
  ),
  refusal(
    "protocol_version",
    400,
    -32600,
    "unsupported_protocol_version",
    "MCP-Protocol-Version is not one we support.",
    "Send the version that initialize answered, or leave the header out.",
  ),
  refusal(
    "rate",
    429,
    429,
    "rate_limited",
    "More requests in a minute than the platform may send, across all keys.",
    "Wait as long as Retry-After says. The RateLimit header shows what is left beforehand.",
  ),
  refusal(
    "rpc_method",
    200,
    -32601,
    "method_not_found",
    "The method is not initialize, ping, tools/list or tools/call.",
    "Call one of these four.",
  ),
  refusal(
    "params",
    200,
    -32602,
    "invalid_params",
    "params are missing or malformed; field says which.",
    "Send the params that the method asks for.",
  ),
  refusal(
    "tool",
    200,
    -32602,
    "unknown_tool",
    "There is no tool with this name.",
    "Call tools/list and use a name from there.",
  ),
  refusal(
    "scope",
    403,
    403,
    "insufficient_scope",
    "The key or the platform lacks the tool's scope.",
    "Use a key with required_scope. If the platform itself lacks it, as for calls without a key, an operator can grant it.",
  ),
  refusal(
    "arguments",
    200,
    null,
    "invalid_arguments",
    "The arguments do not fit the tool's inputSchema or each other, such as a cursor from another query; issues lists the first twenty.",
    "Fix the arguments named in issues, and call again.",
  ),
  refusal(
    "cursor",
    200,
    null,
    "cursor_invalid",
    "The cursor was changed, or comes from an older release, or far more products match by now than when it was given out.",
    "Send page.next_cursor as it came, or start again without a cursor.",
  ),
  refusal(
    "store",
    200,
    null,
    "store_not_available",
    "The store is unknown, or not available to the platform. All cases look the same.",
    "Call list_stores and use a store_id from there.",
  ),
  refusal(
    "product",
    200,
    null,
    "product_not_found",
    "The store has no such product.",
    "Search again: catalogues change.",
  ),
  refusal(
    "loyalty",
    200,
    null,
    "no_loyalty_program",
    "The store has no loyalty programme.",
    "Check for loyalty in the capabilities from list_stores first.",
  ),
  refusal(
    "unavailable",
    503,
    503,
    "unavailable",
    "The database is unavailable or too slow.",
    "Wait a second, then try again.",
  ),
  refusal(
    "internal",
    500,
    -32603,
    "internal_error",
    "Anything else that goes wrong on our side.",
    "Try again; if it happens again, send us the request id.",
  ),
] as const;
