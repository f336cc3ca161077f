// How a request is refused before any route, and how its connection ends: told why, with a request id of ours.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { type Core, newRequestId } from "./context";
import { failure, INVALID_REQUEST } from "./mcp/jsonrpc";
import { letGo } from "./mcp/node-adapter";

export interface Refused {
  status: number;
  message: string;
  /** For the log in place of the message, where that names what was sent. */
  logged?: string;
  /** `data.code`, where it is not bad_request. */
  code?: string;
  /** With 405: what is allowed. */
  allow?: string;
}

const refused = (status: number, message: string): Refused => ({ status, message });

/** On every answer, the API's and refusals too: to a browser that opens one it is data and nothing else. Pages add their own. */
export const inert: [name: string, value: string][] = [
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
];

/** Connections that end with a refusal: requests that were sent right behind it are not run. */
const ending = new WeakSet<Socket>();
/** Was a refusal written that ends this connection? */
export const isEnding = (socket: Socket): boolean => ending.has(socket);

/** Is it a browser opening a page, so that a person sees the answer? */
export const isNavigation = (path: string, { headers }: IncomingMessage): boolean =>
  !path.startsWith("/api/") && /\btext\/html\b/i.test(headers.accept ?? "");

/**
 * Answers and ends the connection. A client that is still sending may go on for a moment, so that it reads the answer.
 * @param isRead by a person, who gets text instead of JSON
 */
export function sendRefusal(
  log: Core["log"],
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  why: Refused,
  isRead = false,
): void {
  ending.add(req.socket);
  tell(log, requestId, why);
  const body = isRead ? `${why.message} (${requestId})` : refusalBody(why, requestId);
  const type = isRead ? { "content-type": "text/plain; charset=utf-8" } : {};
  const headers = { ...refusalHeaders(why, body, requestId), ...type, connection: "close" };
  if (!hasBody(req)) res.writeHead(why.status, headers).end(body);
  else void letGo(req).then(() => res.writeHead(why.status, headers).end(body));
}

/** Without the target and the headers, which may hold secrets. */
export const tell = (log: Core["log"], requestId: string, { status, message, logged = message }: Refused) =>
  log.info({ request_id: requestId, status, problem: logged }, "refused at the edge");

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;

/** A refusal as data, for whoever reads JSON. */
export const refusalBody = (why: Refused, requestId: string) =>
  failure(null, why.status === 400 || why === usePost ? INVALID_REQUEST : why.status, why.message, {
    code: why.code ?? "bad_request",
    request_id: requestId,
  });

const refusalHeaders = ({ allow }: Refused, body: string, requestId: string): Record<string, string> => ({
  "content-type": "application/json; charset=utf-8",
  "content-length": String(Buffer.byteLength(body)),
  "cache-control": "no-store",
  "x-request-id": requestId,
  ...(allow === undefined ? {} : { allow }),
});

const connectionFaults: Record<string, Refused> = {
  ERR_HTTP_REQUEST_TIMEOUT: refused(408, "The request came too slowly."),
  HPE_HEADER_OVERFLOW: refused(431, "The headers are too large."),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refused(413, "The chunk extensions are too large."),
};

/** For calls of the endpoint by a method that Node itself ends: one that its parser does not know, or CONNECT. */
export const usePost: Refused = { status: 405, message: "Use POST.", code: "method_not_allowed", allow: "POST" };

interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** Did Node refuse the method of a request whose first line is there in full and names the endpoint? */
function isCallByOtherMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code !== "HPE_INVALID_METHOD" || !rawPacket) return false;
  const line = rawPacket.subarray(rawPacket.lastIndexOf("\n", bytesParsed) + 1).toString("latin1");
  return /^[\w!#$%&'*+.^`|~-]+ \/api\/mcp(\/p\/[^/?# ]+)?(\?[^ #]*)? HTTP\/1\.[01]\r\n/.test(line);
}

/**
 * What Node itself refuses: headers that are not HTTP, too large or too slow, and bodies that are not what they claim.
 * @param always headers of every answer
 */
export function refuseConnection(
  log: Core["log"],
  error: ParserError,
  socket: Socket,
  always: ReadonlyMap<string, string>,
): void {
  if (error.code === "ECONNRESET") return void socket.destroy();
  const fault = isCallByOtherMethod(error) ? usePost : connectionFaults[error.code ?? ""];
  endWith(log, socket, fault ?? refused(400, "The request is not HTTP."), always);
}

const LINGER_MS = 2_000;

/**
 * Writes an answer to the socket, where there is no response object; never after part of another answer.
 * @param always headers of every answer
 */
export function endWith(log: Core["log"], socket: Socket, why: Refused, always: ReadonlyMap<string, string>): void {
  // Node reports every further chunk as well.
  if (socket.writableEnded && !socket.destroyed) return;
  const { _httpMessage: begun } = socket as Socket & { _httpMessage?: ServerResponse };
  if (!socket.writable || begun?.headersSent) return void socket.destroy();
  ending.add(socket);
  const requestId = newRequestId();
  tell(log, requestId, why);
  const body = refusalBody(why, requestId);
  const headers = {
    date: new Date().toUTCString(),
    ...Object.fromEntries(always),
    ...refusalHeaders(why, body, requestId),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${why.status} ${STATUS_CODES[why.status]}`, ...lines, "", body].join("\r\n"));
  // If it were closed at once, data still on its way here would reset the connection before the answer is read.
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(linger));
}
