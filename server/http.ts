// HTTP: request id, what is refused before any route, the API's direct way in; everything else goes to the site.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { newRequestId } from "./context";
import type { Env } from "./env";
import { MAX_BODY_BYTES, type McpConfig } from "./mcp/handle";
import { failure, INVALID_REQUEST } from "./mcp/jsonrpc";
import { serveNode } from "./mcp/node-adapter";
import type { Arrival } from "./mcp/serve";
import { createSite, type SiteParts } from "./site";
import type { Watch } from "./watch";

const DEADLINE_MS = 2_500;
/** Longer than proxies keep an idle connection (a minute, mostly): whoever closes it first must be the one who sends. */
const IDLE_MS = 75_000;

export function createHttpServer(parts: SiteParts & { watch?: Pick<Watch, "answered" | "visited"> }): Server {
  const { core, env, inFlight, watch } = parts;
  const isOwnOrigin = ownOriginCheck(env);
  const allowed = new Set(env.ALLOWED_ORIGINS);
  const isAllowedOrigin: McpConfig["isAllowedOrigin"] = (origin, host) =>
    allowed.has(origin.toLowerCase()) || isOwnOrigin(origin, host);
  const mcp: McpConfig = { isAllowedOrigin, deadlineMs: DEADLINE_MS, watch: watch?.answered };
  const site = createSite(parts, mcp);
  const hosts = allowedHosts(env);
  const base = env.BASE_URL ? new URL(env.BASE_URL).host : undefined;

  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: 15_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: IDLE_MS,
    },
    (req, res) => {
      if (inFlight.isLeaving) res.shouldKeepAlive = false;
      const requestId = newRequestId();
      boundBody(req);
      const refused = refusedHead(req, hosts);
      if (refused) return sendRefusal(res, requestId, ...refused);
      const path = pathOf(req);
      const door = doorOf(path, req.url ?? "");
      if (door) {
        const arrival: Arrival = { requestId, address: clientAddress(req, env.TRUST_PROXY), ...door };
        const answered = serveNode(core, mcp, req, res, arrival).catch((error) => {
          core.log.error({ request_id: requestId, err: error }, "answer failed");
          res.destroy();
        });
        void inFlight.track(res, answered);
        return;
      }
      res.setHeader("x-request-id", requestId);
      if (watch?.visited) watchVisit(watch.visited, req, res, requestId);
      const refusedOrigin = crossSite(req, isOwnOrigin);
      if (refusedOrigin) return sendRefusal(res, requestId, 403, refusedOrigin);
      const refusedBody = unboundedBody(req);
      // Only who has sent all reads the answer: the rest is read and let go, for as long as requests may take.
      if (refusedBody) return void req.resume().once("end", () => sendRefusal(res, requestId, ...refusedBody));
      nameOurHost(req, base, isOwnOrigin);
      site(req, res, { requestId, address: clientAddress(req, env.TRUST_PROXY) });
    },
  );
  server.on("checkExpectation", (_req, res) => sendRefusal(res, newRequestId(), 417, "Expect is not supported."));
  server.on("clientError", (error, socket) => refuseConnection(error, socket as Socket));
  return server;
}

function watchVisit(seen: NonNullable<Watch["visited"]>, req: IncomingMessage, res: ServerResponse, requestId: string) {
  const startedAt = performance.now();
  const { traceparent, tracestate } = req.headers as Record<string, string | undefined>;
  res.once("close", () =>
    seen({
      requestId,
      method: req.method ?? "",
      path: pathOf(req),
      status: res.statusCode,
      startedAt,
      endedAt: performance.now(),
      parent: traceparent === undefined ? undefined : { traceparent, tracestate },
    }),
  );
}

const BODY_MS = 20_000;
/** Catalogue files may take longer, as long as they come on. */
const uploads = /^\/merchant\/catalogue\/[^/]+(\.data)?$/;
const UPLOAD_MS = 30 * 60_000;
const UPLOAD_LEAST_BYTES = 20_000;

/** Whoever sends a body slowly, to hold a connection, is cut off: after 20 s, uploads when they all but stand still. */
function boundBody(req: IncomingMessage): void {
  if (req.headers["content-length"] === undefined && req.headers["transfer-encoding"] === undefined) return;
  const { socket } = req;
  const isUpload = req.method === "POST" && uploads.test(pathOf(req));
  const begun = Date.now();
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const comesOn = socket.bytesRead - seen >= UPLOAD_LEAST_BYTES && Date.now() - begun < UPLOAD_MS;
    seen = socket.bytesRead;
    if (req.complete) clearInterval(timer);
    else if (!isUpload || !comesOn)
      refuseConnection(Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }, BODY_MS);
  req.once("close", () => clearInterval(timer));
}

/** The path of an origin-form target (`/path?query`); an absolute-form one goes to the site, which knows no such path. */
const pathOf = (req: IncomingMessage) => (req.url ?? "").split("?", 1)[0]!;

/** The endpoint's doors: for keys, for directories, and for the client doctor. */
function doorOf(path: string, url: string): Pick<Arrival, "directorySlug" | "doctor"> | undefined {
  if (path === "/api/mcp") return { directorySlug: undefined };
  const [, kind, name] = /^\/api\/mcp\/(p|doctor)\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (kind === "p") return { directorySlug: name };
  return { directorySlug: undefined, doctor: { token: name, query: url.slice(path.length + 1) } };
}

/** Node takes the first of a doubled header in silence; a proxy in front may take the last. So neither is believed. */
function refusedHead(req: IncomingMessage, hosts: Set<string>): [status: number, message: string] | undefined {
  const seen = new Set<string>();
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const name = req.rawHeaders[i]!.toLowerCase();
    if (name !== "host" && name !== "authorization" && name !== "content-type") continue;
    if (seen.has(name)) return [400, `Send one ${name} header.`];
    seen.add(name);
  }
  const { host } = req.headers;
  if (host === undefined) return req.httpVersion === "1.0" ? undefined : [400, "Send a Host header."];
  const name = hostName(host);
  if (name === undefined) return [400, "The Host header is malformed."];
  // Addresses pass: DNS rebinding needs a name.
  return isIP(name) || hosts.has(name) ? undefined : [421, "This host is not served here."];
}

/** The name or address of a Host header, without port and brackets; undefined when it is neither. */
function hostName(host: string): string | undefined {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (found?.[1] ?? found?.[2])?.toLowerCase();
}

function allowedHosts(env: Env): Set<string> {
  const own = env.BASE_URL ? [new URL(env.BASE_URL).hostname.toLowerCase()] : [];
  return new Set(["localhost", ...own, ...env.ALLOWED_HOSTS]);
}

type OwnOrigin = (origin: string, host: string | undefined) => boolean;

/** The Host was checked before, so an Origin that equals it is our own. */
function ownOriginCheck(env: Env): OwnOrigin {
  const base = env.BASE_URL ? new URL(env.BASE_URL) : undefined;
  return (origin, host) => origin === base?.origin || origin === `${base?.protocol ?? "http:"}//${host}`;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);
/** Mail programs post here without an Origin (RFC 8058). What it does is in the link's own token, never in a cookie. */
const ONE_CLICK = "/unsubscribe";

/** Cross-site request forgery: an unsafe request must say that it comes from a page of ours. */
function crossSite(req: IncomingMessage, isOwnOrigin: OwnOrigin): string | undefined {
  if (safeMethods.has(req.method ?? "") || pathOf(req) === ONE_CLICK) return undefined;
  const { origin, host } = req.headers;
  const site = req.headers["sec-fetch-site"];
  if (origin === undefined && site === undefined) return "Send an Origin header.";
  const own = (origin === undefined || isOwnOrigin(origin, host)) && (site === undefined || site === "same-origin");
  return own ? undefined : "Requests from other sites are refused.";
}

/** Catalogues are streamed by their route, which bounds them itself. */
const UPLOADS = "/merchant/catalogue";

/** Forms and calls of pages: as much as the MCP endpoint takes, and of a length that is told. */
function unboundedBody(req: IncomingMessage): [status: number, message: string] | undefined {
  if (pathOf(req).startsWith(UPLOADS)) return undefined;
  if (req.headers["transfer-encoding"] !== undefined) return [411, "Send a Content-Length header."];
  if (Number(req.headers["content-length"] ?? 0) <= MAX_BODY_BYTES) return undefined;
  return [413, `The body may have ${MAX_BODY_BYTES} bytes at most. Shorten what you typed.`];
}

/**
 * Behind a proxy the Host is whatever the proxy says; Remix compares it with the Origin of forms, and believes
 * X-Forwarded-Host. Here it becomes that of an Origin of our own, else BASE_URL's.
 */
function nameOurHost({ headers }: IncomingMessage, base: string | undefined, isOwnOrigin: OwnOrigin): void {
  const { origin } = headers;
  const host = origin !== undefined && isOwnOrigin(origin, headers.host) ? new URL(origin).host : base;
  if (host !== undefined) headers.host = host;
  delete headers["x-forwarded-host"];
}

/** The peer, or the address that the outermost of our own proxies saw. */
function clientAddress(req: IncomingMessage, proxies: number): string {
  const peer = req.socket.remoteAddress ?? "unknown";
  if (proxies === 0) return peer;
  const hops = String(req.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter(Boolean);
  return hops.at(-proxies) ?? peer;
}

function sendRefusal(res: ServerResponse, requestId: string, status: number, message: string): void {
  const body = refusalBody(status, message, requestId);
  res.writeHead(status, {
    "content-type": JSON_TYPE,
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    connection: "close",
  });
  res.end(body);
}

const JSON_TYPE = "application/json; charset=utf-8";
const refusalBody = (status: number, message: string, requestId: string) =>
  failure(null, status === 400 ? INVALID_REQUEST : status, message, { code: "bad_request", request_id: requestId });

const connectionFaults: Record<string, [status: number, reason: string, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request came too slowly."],
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Content Too Large", "The chunk extensions are too large."],
};

/** What Node itself refuses gets our headers too. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, reason, message] = connectionFaults[error.code ?? ""] ?? [
    400,
    "Bad Request",
    "The request is not HTTP.",
  ];
  const requestId = newRequestId();
  const body = refusalBody(status, message, requestId);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
