// How each outcome looks on the wire: status, headers, body.
import type { DomainError } from "../errors";
import type { JsonText } from "../json-text";
import type { Allowance } from "../limits";
import { failure, type Id, INVALID_PARAMS, type RpcError, success } from "./jsonrpc";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** JSON text; undefined with 202. */
  body: string | undefined;
  /** Of the body, in UTF-8; undefined where nobody has counted them yet. */
  bytes?: number;
  /** For the log and the usage row. */
  errorCode?: string | undefined;
  /** Microseconds, as the usage row has them; undefined where there is no row. */
  latencyUs?: number | undefined;
}

const json = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };

export const accepted: Answer = { status: 202, headers: {}, body: undefined };

/** Headers that tell a caller where it stands in its minute, and the answer's own. */
export const withAllowance = (allowance: Allowance, headers: Answer["headers"]): Answer["headers"] => ({
  "ratelimit-policy": `"default";q=${allowance.limit};w=60`,
  ratelimit: `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`,
  ...headers,
});

/** @param result JSON text */
export const ok = (id: Id, result: string): Answer => ({ status: 200, headers: json, body: success(id, result) });

/** A tool's answer, once as text for clients that read only text, once as structured content. */
export const toolResult = (id: Id, { text, quoted }: JsonText): Answer =>
  ok(id, `{"content":[{"type":"text","text":${quoted}}],"structuredContent":${text}}`);

/** @param id the message's own where it could be read */
export function rpcFailure(error: RpcError, requestId: string, id: Id | null): Answer {
  return {
    status: error.http,
    headers: {
      ...json,
      ...(error.http === 405 ? { allow: "POST" } : {}),
      ...(error.http === 413 ? { connection: "close" } : {}),
    },
    body: failure(id, error.rpcCode, error.message, Object.assign({}, error.data, { request_id: requestId })),
    errorCode: error.data.code,
  };
}

/** @param challenge whether a 401 or 403 may ask for a Bearer token: not on directory endpoints */
export function domainFailure(error: DomainError, requestId: string, id: Id | null, challenge: boolean): Answer {
  const { code, message, details, face } = error;
  if (face.mcp === "result" && id !== null) {
    const text = JSON.stringify({
      code,
      message,
      ...details,
      retryable: face.retryable ?? false,
      request_id: requestId,
    });
    const body = success(id, `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true}`);
    return { status: 200, headers: json, body, errorCode: code };
  }
  const rpcCode = face.http === 200 ? INVALID_PARAMS : face.http;
  return {
    status: face.http,
    headers: refusalHeaders(error, challenge),
    body: failure(id, rpcCode, message, Object.assign({ code }, details, { request_id: requestId })),
    errorCode: typeof details.reason === "string" ? details.reason : code,
  };
}

export const internalFailure = (rpcCode: number, requestId: string, id: Id | null): Answer => ({
  status: 500,
  headers: json,
  body: failure(id, rpcCode, "Internal error", { code: "internal_error", request_id: requestId }),
  errorCode: "internal_error",
});

function refusalHeaders(error: DomainError, challenge: boolean): Record<string, string> {
  const { code, details } = error;
  if (code === "rate_limited") return { "retry-after": String(details.retry_after), ...json };
  if (code === "unavailable") return { "retry-after": "1", ...json };
  const asked = challenge ? bearerChallenge(error) : undefined;
  return asked === undefined ? json : { "www-authenticate": `Bearer realm="aisle"${asked}`, ...json };
}

/** RFC 6750, section 3: no error code when nothing was presented. */
function bearerChallenge({ code, message, details }: DomainError): string | undefined {
  if (code === "missing_token") return "";
  if (code === "invalid_token")
    return `, error="invalid_token", error_description="${message.replaceAll(/["\\]/g, "'")}"`;
  return code === "insufficient_scope"
    ? `, error="insufficient_scope", scope="${String(details.required_scope)}"`
    : undefined;
}
