// The MCP endpoint, apart from the HTTP server that it hangs on: an `Exchange` in, an `Answer` out.
// The checks stand in the order of `server/refusals.ts`; the first that fails answers.
import { type Anonymous, actingAs, type Consumer, type Core, type Ctx, type Member } from "../context";
import { asTold, DomainError } from "../errors";
import type { Allowance } from "../limits";
import * as pipeline from "../pipeline";
import { acceptsBoth, isJson } from "./accept";
import { type Ahead, begin, beginAhead, read, requestOf, type Work } from "./ahead";
import { type Answered, answeredOf, type Phase, shownMethod } from "./answered";
import { type Answer, accepted, domainFailure, internalFailure, rpcFailure, withAllowance } from "./answers";
import { refuseWhileHanging, tooSlow, within } from "./deadline";
import { INTERNAL_ERROR, INVALID_REQUEST, isObject, type Request, RpcError } from "./jsonrpc";
import { clientReport } from "./meta";
import { isDirectory } from "./methods";

export const MAX_BODY_BYTES = 256 * 1024;

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
  /** Who runs a tool in the Playground, in the place of a key. Set by our own pages, never from a request to the endpoint. */
  member?: { actor: Member; asDirectory: boolean } | undefined;
  /** `performance.now()` when the request came in. */
  startedAt: number;
}

export interface McpConfig {
  /** May a browser page of this Origin call, reached under this Host? */
  isAllowedOrigin: (origin: string, host: string | undefined) => boolean;
  /** After this long a request is answered with a 503: so every caller gets an answer, even while the database hangs. */
  deadlineMs: number;
  /** Told of each request once its answer is known, for metrics and traces. */
  watch?: ((answered: Answered) => void) | undefined;
}

/** Answers one request. Never throws: whatever goes wrong is answered, as `server/refusals.ts` lists it. */
export async function handle(core: Core, config: McpConfig, exchange: Exchange): Promise<Answer> {
  const state: State = { deadline: performance.now() + config.deadlineMs, phases: config.watch && [] };
  let answer: Answer;
  try {
    checkEdge(config, exchange);
    refuseWhileHanging();
    answer = await within(config.deadlineMs, serve(core, exchange, state));
  } catch (error) {
    answer = failure(core, error, exchange, state);
  }
  const answered = answeredOf(exchange, state, answer);
  log(core, answered);
  config.watch?.(answered);
  const headers = state.allowance ? withAllowance(state.allowance, answer.headers) : answer.headers;
  return { ...answer, headers: { "x-request-id": exchange.requestId, ...headers } };
}

/** What is known of a request so far: for the answer if it fails, and for the log. */
interface State {
  /** By `performance.now()`, a clock that nobody sets. */
  deadline: number;
  ctx?: Ctx<Consumer>;
  message?: Request | undefined;
  allowance?: Allowance;
  /** The tool call that was run for it, if it was admitted. */
  call?: pipeline.PreparedCall | undefined;
  tool?: string | undefined;
  /** The key it came with, where that no longer works, and whose it was. */
  refused?: pipeline.RefusedKey;
  /** What the caller was told, where it was refused. */
  problem?: string;
  /** The steps that are over, each with when it ended; only while somebody watches. */
  phases?: Phase[] | undefined;
}

/** Refuses by the method, the headers and the size of the body alone, before the address or the key is looked at. */
function checkEdge(config: McpConfig, { method, headers, body }: Exchange): void {
  if (method !== "POST") throw new RpcError(INVALID_REQUEST, 405, "Use POST.", { code: "method_not_allowed" });
  if (headers.origin !== undefined && !config.isAllowedOrigin(headers.origin, headers.host)) {
    throw refusal(
      403,
      "origin_not_allowed",
      "Requests from this Origin are not allowed. Call from a server; pages of other sites cannot call. For a browser extension or desktop app, ask the operator to allow its Origin.",
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
  if (body === null)
    throw refusal(413, "body_too_large", `The body may be at most ${MAX_BODY_BYTES} bytes. Ask for less in one call.`);
}

/** A refusal whose JSON-RPC code is its HTTP status, since that lies outside the range that JSON-RPC reserves. */
const refusal = (status: number, code: string, message: string) => new RpcError(status, status, message, { code });

/** The rest, from the key on: finds out who calls and what is asked, answers, and records what was counted. */
async function serve(core: Core, exchange: Exchange, state: State): Promise<Answer> {
  const anonymous = pipeline.anonymous(core, exchange.requestId);
  const key = keyOf(anonymous, exchange);
  const expected = key && pipeline.expectedCaller(anonymous, key);
  const refused = expected && (await refuseBeyond(core, expected, exchange, state));
  if (refused) return refused;
  const ahead = expected && beginAhead(expected, exchange);
  let admitted: pipeline.Admitted;
  try {
    admitted = await admit(anonymous, key, ahead, exchange, state);
  } catch (error) {
    if (!state.refused || !(error instanceof DomainError)) throw error;
    const answer = failure(core, error, exchange, state);
    await record({ ...anonymous, actor: state.refused.caller }, exchange, state, answer);
    return answer;
  }
  done(state, "admit");
  state.ctx = admitted.ctx;
  const message = ahead?.message ?? read(exchange);
  if (message.kind !== "request") return accepted;
  state.message = message;

  let answer = await answerTo(message, admitted, ahead, exchange, state);
  // A request that could not be counted is not recorded either.
  if (answer.status === 503 && !state.allowance) return answer;
  done(state, "run");
  // No answer is sent before the record that the request has begun is on disk.
  if (admitted.begun) await admitted.begun.onDisk.then(() => done(state, "disk"));
  state.tool = state.call?.tool.name ?? calledTool(message);
  if (performance.now() >= state.deadline) answer = failure(core, tooSlow(), exchange, state);
  await record(admitted.ctx, exchange, state, answer, admitted.begun);
  done(state, "record");
  return answer;
}

/** Counts the request, and runs it unless it has begun already. Never throws: a refusal is an answer too. */
async function answerTo(
  message: Request,
  admitted: pipeline.Admitted,
  ahead: Ahead | undefined,
  exchange: Exchange,
  state: State,
): Promise<Answer> {
  const { ctx } = admitted;
  let work: Work | undefined;
  try {
    const counted = pipeline.spend(admitted, exchange.address);
    if (ctx === ahead?.ctx) work = ahead.work;
    else if (pipeline.mayRunAhead(ctx)) work = begin(ctx, message);
    state.allowance = await counted;
    done(state, "limit");
    work ??= begin(ctx, message);
    return await work.answer;
  } catch (error) {
    if (!state.allowance) work = undefined;
    state.allowance ??= spentAllowance(error);
    return failure(ctx, error, exchange, state);
  } finally {
    state.call = work?.call;
  }
}

/** Writes the usage row. Of a request with a refused key it has nothing of the body: no method, and no word of its sender on itself. */
function record(
  ctx: Parameters<typeof pipeline.record>[0],
  exchange: Exchange,
  { message, call, tool, refused, problem }: State,
  answer: Answer,
  begun?: pipeline.Admitted["begun"],
): Promise<void> {
  const read = refused ? undefined : message;
  answer.latencyUs = Math.round((performance.now() - exchange.startedAt) * 1000);
  answer.bytes = Buffer.byteLength(answer.body ?? "");
  const event = {
    method: read ? shownMethod(read) : pipeline.UNREAD,
    tool,
    storeId: call?.storeId,
    productIds: call?.productIds,
    status: answer.status,
    errorCode: refused ? refused.reason : answer.errorCode,
    latencyUs: answer.latencyUs,
    requestBytes: exchange.body!.byteLength,
    responseBytes: answer.bytes,
    client: read ? clientReport(read.params, exchange.headers["user-agent"]) : {},
    arguments: read && calledArguments(read),
    problem: refused ? refused.message : problem,
  };
  return pipeline.record(ctx, event, begun);
}

/**
 * The 429 of a caller that this process knows to be over its limit, counted in one statement instead of two (decision 0040).
 * @returns undefined where that is not so, or no longer: the request goes its ordinary way
 */
async function refuseBeyond(
  core: Core,
  ctx: Ctx<Consumer>,
  exchange: Exchange,
  state: State,
): Promise<Answer | undefined> {
  const counted = pipeline.placeBeyond(ctx);
  const message = counted && requestOf(exchange);
  if (!message) return undefined;
  const tool = calledTool(message);
  if (!(await pipeline.recordBeyond(ctx, { method: shownMethod(message), tool }))) return undefined;
  done(state, "record");
  Object.assign(state, { ctx, message, tool });
  const error: unknown = await pipeline.spend({ ctx, counted }, exchange.address).catch((error: unknown) => error);
  state.allowance = spentAllowance(error);
  return failure(core, error, exchange, state);
}

const done = (state: State, phase: Phase[0]) => state.phases?.push([phase, performance.now()]);

async function admit(
  anonymous: Ctx<Anonymous>,
  key: pipeline.Presented | undefined,
  ahead: Ahead | undefined,
  { member, directorySlug, address }: Exchange,
  state: State,
): Promise<pipeline.Admitted> {
  if (member) return pipeline.admitMember(actingAs(anonymous, member.actor), { directory: member.asDirectory });
  if (directorySlug !== undefined) return pipeline.admitDirectory(anonymous, directorySlug);
  const counted = ahead && {
    ctx: ahead.ctx,
    method: shownMethod(ahead.message),
    tool: calledTool(ahead.message),
  };
  return pipeline.admitKey(anonymous, key, counted, address, (refused) => {
    state.refused = refused;
  });
}

/** The key that a request came with, where it comes by key. */
function keyOf(ctx: Ctx<Anonymous>, { member, directorySlug, headers }: Exchange): pipeline.Presented | undefined {
  if (member || directorySlug !== undefined) return undefined;
  const token = bearer(headers.authorization);
  return token === undefined ? undefined : pipeline.presented(ctx, token);
}

/** The token of `Bearer <token>`; whatever else was presented is handed on as it is, to be refused as malformed. */
function bearer(header: string | undefined): string | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
}

function calledTool({ method, params }: Request): string | undefined {
  const name = method === "tools/call" && isObject(params) ? params.name : undefined;
  return typeof name === "string" && pipeline.isTool(name) ? name : undefined;
}

const calledArguments = ({ method, params }: Request): unknown =>
  method === "tools/call" && isObject(params) ? params.arguments : undefined;

function failure(core: Core, error: unknown, exchange: Exchange, state: State): Answer {
  const { requestId } = exchange;
  const known = asTold(error);
  // While the database is away a request fails before its body is read. It is read here, since the answer must carry its id.
  if (known instanceof DomainError && known.code === "unavailable") state.message ??= requestOf(exchange);
  const id = state.message?.id ?? null;
  if (known instanceof RpcError || known instanceof DomainError) state.problem = known.message;
  if (known instanceof RpcError) return rpcFailure(known, requestId, known.id ?? id);
  if (known instanceof DomainError) {
    if (known.code === "unavailable")
      core.log.error({ request_id: requestId, err: known.cause }, "database unavailable");
    return domainFailure(known, requestId, id, !state.ctx || !isDirectory(state.ctx.actor));
  }
  core.log.error({ request_id: requestId, err: known }, "internal error");
  pipeline.recordFailure(core, { requestId, door: "mcp", consumerId: state.ctx?.actor.consumerId }, known);
  return internalFailure(INTERNAL_ERROR, requestId, id);
}

/** The allowance of a caller that was refused for its limit; undefined for any other error. */
function spentAllowance(error: unknown): Allowance | undefined {
  if (!(error instanceof DomainError) || error.code !== "rate_limited") return undefined;
  const { limit, retry_after } = error.details as { limit: number; retry_after: number };
  return { limit, remaining: 0, resetSeconds: retry_after };
}

function log(core: Core, answered: Answered): void {
  const { requestId, endpoint, consumer, method, tool, status, errorCode, startedAt, endedAt } = answered;
  const ms = Math.round((endedAt - startedAt) * 10) / 10;
  core.log.info({ request_id: requestId, endpoint, consumer, method, tool, status, error: errorCode, ms }, "mcp");
}
