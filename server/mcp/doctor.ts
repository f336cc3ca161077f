// A request to an address of the client doctor: answered as the endpoint would, then looked at rule by rule. The endpoint
// stops at the first rule that fails; the doctor goes on, so that a client with three faults is mended in one go.
import type { Anonymous, Core, Ctx } from "../context";
import { asTold, DomainError } from "../errors";
import * as pipeline from "../pipeline";
import { refusals } from "../refusals";
import { accepts, isJson } from "./accept";
import { type Answer, domainFailure, internalFailure } from "./answers";
import { arrivedFrom, safe } from "./arrived";
import { refuseWhileHanging, within } from "./deadline";
import { type Exchange, handle, type McpConfig } from "./handle";
import { INTERNAL_ERROR, type Message, PARSE_ERROR, parse, protocolVersions, RpcError } from "./jsonrpc";

type RuleId = (typeof refusals)[number]["id"];
/** What was found: true passed, false failed, null not reached; or failed, with what was seen. */
type Finding = boolean | null | string;

/** @param token of the address  @param query what stands behind the address's question mark */
export async function examine(
  core: Core,
  config: McpConfig,
  exchange: Exchange,
  { token, query }: { token: string; query: string },
): Promise<Answer> {
  const over = performance.now() + config.deadlineMs;
  const ctx = pipeline.anonymous(core, exchange.requestId);
  let check: pipeline.OpenCheck;
  try {
    refuseWhileHanging();
    check = await within(config.deadlineMs, pipeline.admitCheck(ctx, token));
  } catch (error) {
    const answer = notAdmitted(core, error, exchange.requestId);
    core.log.info({ request_id: exchange.requestId, status: answer.status, error: answer.errorCode }, "mcp");
    return { ...answer, headers: { ...answer.headers, "x-request-id": exchange.requestId } };
  }
  const answer = await handle(core, config, exchange);
  // Without the database a visit can be neither looked at nor kept.
  if (answer.status === 503) return answer;
  try {
    const looked = async () =>
      pipeline.recordVisit(ctx, { check, report: await reportOn(ctx, config, exchange, query, check, answer) });
    await within(over - performance.now(), looked());
  } catch (error) {
    // The client gets its answer all the same.
    core.log.error({ request_id: exchange.requestId, err: error }, "visit not recorded");
  }
  return answer;
}

function notAdmitted(core: Core, error: unknown, requestId: string): Answer {
  const known = asTold(error);
  if (known instanceof DomainError) {
    if (known.code === "unavailable")
      core.log.error({ request_id: requestId, err: known.cause }, "database unavailable");
    return domainFailure(known, requestId, null, false);
  }
  core.log.error({ request_id: requestId, err: error }, "internal error");
  pipeline.recordFailure(core, { requestId, door: "mcp" }, error);
  return internalFailure(INTERNAL_ERROR, requestId, null);
}

async function reportOn(
  ctx: Ctx<Anonymous>,
  config: McpConfig,
  exchange: Exchange,
  query: string,
  check: pipeline.OpenCheck,
  answer: Answer,
): Promise<pipeline.Report> {
  const { headers } = exchange;
  const key = await pipeline.findKeyFault(ctx, { headers, query }, check.consumerId);
  const read = readBody(exchange);
  const isForStream = asksForStream(exchange);
  const isForVersions = asksForVersions(read.message);
  const purpose = isForStream ? FOR_STREAM : isForVersions ? FOR_VERSIONS : undefined;
  const found: Partial<Record<RuleId, Finding>> = {
    method: exchange.method === "POST" || methodNote(exchange.method),
    origin:
      headers.origin === undefined || config.isAllowedOrigin(headers.origin, headers.host) || "A browser sent this.",
    content_encoding: headers["content-encoding"] === undefined,
    content_type:
      isJson(headers["content-type"]) || (headers["content-type"] === undefined ? "There was none." : false),
    accept: acceptFinding(headers.accept),
    size: exchange.body !== null,
    key_missing: key.isPresent || (key.fault ?? false),
    key: key.isPresent ? (key.fault ?? true) : null,
    ...bodyFindings(exchange.body, read),
    protocol_version: isForVersions ? null : versionFinding(headers["mcp-protocol-version"]),
    ...(isForStream && { method: null, content_type: null, accept: null, size: null, json: null, message: null }),
  };
  const isWhole = Object.values(found).every((finding) => finding === true);
  return {
    status: answer.status,
    code: answer.errorCode ?? null,
    arrived: [
      ...arrivedFrom(exchange, key.form, query, read.message),
      ...(purpose === undefined ? [] : [["Purpose", purpose] satisfies [string, string]]),
    ],
    rules: [...edgeRules(found), ...callRules(isWhole, answer, read.message)],
  };
}

/** What clients of streamable HTTP may do once they are initialized, and which older ones cannot: these know no version yet. */
const asksForStream = ({ method, headers }: Exchange): boolean =>
  method === "GET" && accepts(headers.accept, "text/event-stream") && headers["mcp-protocol-version"] !== undefined;
const FOR_STREAM = "asks for a stream of events. There is none: 405 says so, and the client goes on by POST.";

/** What newer clients do first, in a version of theirs: refused, they fall back on initialize. */
const asksForVersions = (message: Message | undefined): boolean =>
  message?.kind === "request" && message.method === "server/discover";
const FOR_VERSIONS = "asks which versions there are. The answer says so, and the client goes on with initialize.";

const edgeRules = (found: Partial<Record<RuleId, Finding>>): pipeline.Rule[] =>
  Object.entries(found).map(([id, finding]) => ({
    id,
    verdict: finding === true ? "passed" : finding === null ? "not_reached" : "failed",
    note: typeof finding === "string" ? finding : null,
  }));

const callIds: RuleId[] = ["rate", "rpc_method", "params", "tool", "scope", "arguments", "cursor", "store"];
/** What a call may fail by, as it is looked at. */
const callOrder: RuleId[] = [...callIds, "product", "loyalty"];
const toolIds = new Set<RuleId>(["tool", "scope", "arguments", "cursor", "store"]);

/** What only the call itself can tell: by the answer that it got. */
function callRules(isWhole: boolean, answer: Answer, message: Message | undefined): pipeline.Rule[] {
  const isRequest = isWhole && message?.kind === "request";
  const isCall = isRequest && message.method === "tools/call";
  const failed = isRequest ? refusals.find(({ code }) => code === answer.errorCode)?.id : undefined;
  const at = failed === undefined ? -1 : callOrder.indexOf(failed);
  const rules = callIds.map((id, place): pipeline.Rule => {
    if (id === failed) return { id, verdict: "failed", note: toldInWords.has(id) ? wordsOf(answer) : null };
    const isReached = isRequest && (isCall || !toolIds.has(id)) && (failed === undefined || (at >= 0 && place < at));
    return { id, verdict: isReached ? "passed" : "not_reached", note: null };
  });
  const isAmong = failed === undefined || callIds.includes(failed);
  return isAmong ? rules : [...rules, { id: failed, verdict: "failed", note: null }];
}

/** Their answers name what is wrong with this very call. */
const toldInWords = new Set<RuleId>(["params", "arguments"]);
const MAX_WORDS = 1000;

function wordsOf({ body }: Answer): string {
  const { error, result } = JSON.parse(body!);
  return safe((error ?? JSON.parse(result.content[0].text)).message, MAX_WORDS);
}

interface ReadBody {
  message?: Message;
  fault?: RpcError;
}

function readBody({ body }: Exchange): ReadBody {
  if (body === null || body.byteLength === 0) return {};
  try {
    return { message: parse(body) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { fault: error };
  }
}

function bodyFindings(body: Exchange["body"], { fault }: ReadBody): { json: Finding; message: Finding } {
  // Too large to be read.
  if (body === null) return { json: null, message: null };
  if (body.byteLength === 0) return { json: "There was no body.", message: null };
  if (!fault) return { json: true, message: true };
  return fault.rpcCode === PARSE_ERROR ? { json: false, message: null } : { json: true, message: fault.message };
}

function methodNote(method: string): string {
  if (method === "GET")
    return "GET opens an event stream in older transports; there is none here. Choose streamable HTTP.";
  if (method === "OPTIONS") return "OPTIONS is a browser's preflight: a web page called. Call from a server.";
  if (method === "DELETE") return "DELETE ends a session; there are none here.";
  return `It was ${method.slice(0, 20)}.`;
}

function acceptFinding(accept: string | undefined): Finding {
  const missing = ["application/json", "text/event-stream"].filter((type) => !accepts(accept, type));
  return missing.length === 0 || `It lacks ${missing.join(" and ")}.`;
}

const versionFinding = (version: string | undefined): Finding =>
  version === undefined || protocolVersions.includes(version) || `Known are ${protocolVersions.join(", ")}.`;
