// A plain exchange in, a plain answer out: the whole wire of decisions.md section 2, whatever adapter it hangs on.
// The checks stand in the order of its table; the first that fails answers.
import type { Consumer, Core, Ctx } from "../context";
import { DomainError } from "../errors";
import type { Allowance } from "../limits";
import * as pipeline from "../pipeline";
import { acceptsBoth, isJson } from "./accept";
import { type Answer, accepted, domainFailure, internalFailure, rpcFailure } from "./answers";
import { INTERNAL_ERROR, INVALID_REQUEST, parse, type Request, RpcError } from "./jsonrpc";
import { clientReport } from "./meta";
import { run } from "./methods";

export const MAX_BODY_BYTES = 256 * 1024;
export const protocolVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/** What an adapter hands over. */
export interface Exchange {
  method: string;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** Null when it is larger than MAX_BODY_BYTES. */
  body: Uint8Array | null;
  /** The client's address, proxies taken into account. */
  address: string;
  requestId: string;
  /** Which door: a slug for a directory endpoint, undefined for `/api/mcp`. */
  directorySlug?: string | undefined;
  /** `performance.now()` when the request came in. */
  startedAt: number;
}

export interface McpConfig {
  /** May a browser page of this Origin call, reached under this Host? */
  isAllowedOrigin: (origin: string, host: string | undefined) => boolean;
  /** Every answer is out after this long: a database that hangs becomes a 503. */
  deadlineMs: number;
}

/** Answers one request. Never throws: whatever goes wrong becomes an answer of the table. */
export async function handle(core: Core, config: McpConfig, exchange: Exchange): Promise<Answer> {
  const state: State = { deadline: Date.now() + config.deadlineMs };
  let answer: Answer;
  try {
    checkEdge(config, exchange);
    answer = await within(config.deadlineMs, serve(core, exchange, state));
  } catch (error) {
    answer = failure(core, error, exchange.requestId, state);
  }
  log(core, exchange, state, answer);
  return { ...answer, headers: { ...answer.headers, "x-request-id": exchange.requestId } };
}

/** What is known of a request so far, for its answer should it fail, and for the log. */
interface State {
  deadline: number;
  ctx?: Ctx<Consumer>;
  message?: Request;
  allowance?: Allowance;
  tool?: string | undefined;
  errorCode?: string | undefined;
}

/** Rows 1 to 5: what the headers tell. */
function checkEdge(config: McpConfig, { method, headers, body }: Exchange): void {
  if (method !== "POST") throw new RpcError(INVALID_REQUEST, 405, "Use POST.", { code: "method_not_allowed" });
  if (headers.origin !== undefined && !config.isAllowedOrigin(headers.origin, headers.host)) {
    throw refusal(
      403,
      "origin_not_allowed",
      "Requests from this Origin are not allowed. Call from a server, or ask the operator to allow it.",
    );
  }
  if (headers["content-encoding"] !== undefined) {
    throw refusal(415, "unsupported_content_encoding", "Send the body as it is, without Content-Encoding.");
  }
  if (!isJson(headers["content-type"]))
    throw refusal(415, "unsupported_media_type", "Send Content-Type: application/json.");
  if (!acceptsBoth(headers.accept)) {
    throw refusal(406, "not_acceptable", "Send Accept: application/json, text/event-stream.");
  }
  if (body === null) throw refusal(413, "body_too_large", `The body may have ${MAX_BODY_BYTES} bytes at most.`);
}

/** A refusal whose JSON-RPC code is its HTTP status: outside the range that JSON-RPC reserves. */
const refusal = (status: number, code: string, message: string) => new RpcError(status, status, message, { code });

/** Rows 6 to 17, and the usage row of what was counted. */
async function serve(core: Core, exchange: Exchange, state: State): Promise<Answer> {
  const ctx = await admit(core, exchange);
  state.ctx = ctx;
  const message = parse(exchange.body!);
  const version = exchange.headers["mcp-protocol-version"];
  if (version !== undefined && !protocolVersions.includes(version)) {
    const id = message.kind === "request" ? message.id : null;
    const data = { code: "unsupported_protocol_version", supported: protocolVersions };
    throw new RpcError(
      INVALID_REQUEST,
      400,
      `MCP-Protocol-Version "${version.slice(0, 40)}" is not supported.`,
      data,
      id,
    );
  }
  if (message.kind !== "request") return accepted;
  state.message = message;

  let answer: Answer;
  let call: pipeline.PreparedCall | undefined;
  try {
    state.allowance = await pipeline.spend(ctx, exchange.address);
    answer = await run(ctx, message, (prepared) => {
      call = prepared;
    });
  } catch (error) {
    state.allowance ??= spentAllowance(error);
    answer = failure(core, error, exchange.requestId, state);
    // Without the database there is neither a count nor a row.
    if (answer.status === 503) return answer;
  }
  state.tool = call?.tool.name ?? calledTool(message);
  if (Date.now() >= state.deadline) throw tooSlow();
  await pipeline.record(ctx, {
    method: message.method.slice(0, 100),
    tool: state.tool,
    storeId: call?.storeId,
    status: answer.status,
    errorCode: answer.errorCode,
    latencyUs: Math.round((performance.now() - exchange.startedAt) * 1000),
    requestBytes: exchange.body!.byteLength,
    responseBytes: Buffer.byteLength(answer.body ?? ""),
    client: clientReport(message.params, exchange.headers["user-agent"]),
  });
  return state.allowance ? { ...answer, headers: { ...answer.headers, ...allowanceHeaders(state.allowance) } } : answer;
}

async function admit(core: Core, exchange: Exchange): Promise<Ctx<Consumer>> {
  const ctx = pipeline.anonymous(core, exchange.requestId);
  if (exchange.directorySlug !== undefined) return pipeline.admitDirectory(ctx, exchange.directorySlug);
  return pipeline.admitKey(ctx, bearer(exchange.headers.authorization), exchange.address);
}

/** The token of `Bearer <token>`; whatever else was presented is handed on as it is, to be refused as malformed. */
function bearer(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
}

function calledTool({ method, params }: Request): string | undefined {
  const name = method === "tools/call" ? (params as { name?: unknown } | null | undefined)?.name : undefined;
  return typeof name === "string" && pipeline.isTool(name) ? name : undefined;
}

function failure(core: Core, error: unknown, requestId: string, state: State): Answer {
  const id = state.message?.id ?? null;
  const known = isOutage(error) ? unavailable(error) : error;
  if (known instanceof RpcError) return rpcFailure(known, requestId, known.id ?? id);
  if (known instanceof DomainError) {
    if (known.code === "unavailable")
      core.log.error({ request_id: requestId, err: known.cause }, "database unavailable");
    return domainFailure(known, requestId, id, state.ctx?.actor.endpoint !== "directory");
  }
  core.log.error({ request_id: requestId, err: known }, "internal error");
  return internalFailure(INTERNAL_ERROR, requestId, id);
}

const unavailable = (cause: unknown) =>
  new DomainError("unavailable", "The service is briefly unavailable. Try again in a second.", { cause });
const tooSlow = () => unavailable(new Error("deadline exceeded"));

/** Has the database gone, or refused work, rather than found fault with the statement? */
function isOutage(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  // Classes 08 connection, 53 resources, 57 operator intervention (shutdown, statement timeout), 25006 read-only, 55P03 lock.
  return (
    /^(08|53|57)\w{3}$|^25006$|^55P03$/.test(code) || /^(CONNECT|CONNECTION|ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code)
  );
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where a caller stands that was refused for its limit. */
function spentAllowance(error: unknown): Allowance | undefined {
  if (!(error instanceof DomainError) || error.code !== "rate_limited") return undefined;
  const { limit, retry_after } = error.details as { limit: number; retry_after: number };
  return { limit, remaining: 0, resetSeconds: retry_after, windowSeconds: 60 };
}

const allowanceHeaders = (allowance: Allowance) => ({
  "ratelimit-policy": `"default";q=${allowance.limit};w=${allowance.windowSeconds}`,
  ratelimit: `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`,
});

function log(core: Core, exchange: Exchange, state: State, answer: Answer): void {
  core.log.info(
    {
      request_id: exchange.requestId,
      endpoint: exchange.directorySlug === undefined ? "api" : "directory",
      consumer: state.ctx?.actor.slug,
      method: state.message?.method.slice(0, 100),
      tool: state.tool,
      status: answer.status,
      error: answer.errorCode,
      ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
    },
    "mcp",
  );
}
