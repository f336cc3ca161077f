// HTTP: request id, what is refused before any route, the API's direct way in; everything else goes to the site.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP, type Socket } from "node:net";
import { type Core, newRequestId } from "./context";
import { endWith, hasBody, inert, isEnding, isNavigation, type Refused, refuseConnection, sendRefusal } from "./edge";
import type { Env } from "./env";
import { isJson } from "./mcp/accept";
import { MAX_BODY_BYTES, type McpConfig } from "./mcp/handle";
import { serveNode } from "./mcp/node-adapter";
import type { Arrival } from "./mcp/serve";
import { createSite, type SiteParts } from "./site";
import type { Watch } from "./watch";

const DEADLINE_MS = 2_500;
/** Whoever neither sends nor reads, while an answer waits for them. */
const STALLED_MS = 120_000;
/** Longer than proxies keep an idle connection (a minute, mostly): whoever closes it first must be the one who sends. */
const IDLE_MS = 75_000;

const stayWithHttps: [name: string, value: string] = [
  "strict-transport-security",
  "max-age=31536000; includeSubDomains",
];

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
  const everywhere = new Map([...inert, ...(base && env.BASE_URL!.startsWith("https:") ? [stayWithHttps] : [])]);
  const always = [...everywhere].flat();

  function serve(req: IncomingMessage, res: ServerResponse) {
    if (isEnding(req.socket)) return;
    if (inFlight.isLeaving) res.shouldKeepAlive = false;
    const requestId = newRequestId();
    // Most bodies come with their headers, and need no clock.
    if (hasBody(req)) process.nextTick(boundBody, core.log, req);
    const refused = refusedHead(req, hosts);
    if (refused) return sendRefusal(core.log, req, res.setHeaders(everywhere), requestId, refused);
    const path = pathOf(req);
    const door = doorOf(path, req.url ?? "");
    if (door) {
      const arrival: Arrival = { requestId, address: clientAddress(req, env.TRUST_PROXY), ...door };
      const answered = serveNode(core, mcp, req, res, always, arrival).catch((error) => {
        core.log.error({ request_id: requestId, err: error }, "answer failed");
        res.destroy();
      });
      void inFlight.track(res, answered);
      return;
    }
    res.setHeaders(everywhere).setHeader("x-request-id", requestId);
    if (watch?.visited) watchVisit(watch.visited, req, res, requestId);
    const refusedVisit =
      besideDoors(path, req) ??
      besidePages(path, req) ??
      refusedMethod(req) ??
      crossSite(req, isOwnOrigin) ??
      refusedBody(req);
    if (refusedVisit) return sendRefusal(core.log, req, res, requestId, refusedVisit, isNavigation(path, req));
    nameOurHost(req, base, isOwnOrigin);
    site(req, res, { requestId, address: clientAddress(req, env.TRUST_PROXY) });
  }

  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: 15_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 2_000,
      keepAliveTimeout: IDLE_MS,
    },
    // Of requests that come without waiting for answers (pipelining), each is begun once the answer before it is out: who
    // does not read gets no more work done.
    (req, res) => (res.socket ? serve(req, res) : void res.once("socket", () => serve(req, res))),
  );
  // Beyond it Node drops headers in silence, and a doubled one with them; their size is bounded anyway.
  server.maxHeadersCount = 0;
  server.setTimeout(STALLED_MS);
  server.on("checkExpectation", (req, res) => {
    res.setHeaders(everywhere);
    sendRefusal(core.log, req, res, newRequestId(), { status: 417, message: "Expect is not supported." });
  });
  server.on("connect", (_req, socket: Socket) => endWith(core.log, socket, methodNotAllowed));
  server.on("clientError", (error, socket) => refuseConnection(core.log, error, socket as Socket));
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

const BODY_MS = 18_000;
/** Catalogue files, which their route streams and bounds itself. They may take longer, as long as they come on. */
const isUpload = (req: IncomingMessage): boolean =>
  req.method === "POST" &&
  /^\/merchant\/catalogue\/[^/]+$/.test(pathOf(req)) &&
  /^multipart\/form-data\b/i.test(req.headers["content-type"] ?? "");
const UPLOAD_MS = 30 * 60_000;
const UPLOAD_LEAST_BYTES = 20_000;

/** Whoever sends a body slowly, to hold a connection, is cut off: after 18 s, uploads when they all but stand still. */
function boundBody(log: Core["log"], req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  const mayTakeLong = isUpload(req);
  const begun = Date.now();
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const comesOn = socket.bytesRead - seen >= UPLOAD_LEAST_BYTES && Date.now() - begun < UPLOAD_MS;
    seen = socket.bytesRead;
    if (req.complete) clearInterval(timer);
    else if (!mayTakeLong || !comesOn)
      refuseConnection(log, Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }, BODY_MS);
  req.once("close", () => clearInterval(timer));
}

/** The target's path, once refusedHead() has seen it. */
const pathOf = (req: IncomingMessage) => (req.url ?? "").split("?", 1)[0]!;

/** The endpoint's doors: for keys, for directories, and for the client doctor. */
function doorOf(path: string, url: string): Pick<Arrival, "directorySlug" | "doctor"> | undefined {
  if (path === "/api/mcp") return { directorySlug: undefined };
  const [, kind, name] = /^\/api\/mcp\/(p|doctor)\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (kind === "p") return { directorySlug: name };
  return { directorySlug: undefined, doctor: { token: name, query: url.slice(path.length + 1) } };
}

/** Whoever posts JSON and is no page of ours, or calls beside the doors, has the address wrong: it is told so, not of what pages ask. */
function besideDoors(path: string, { method, headers }: IncomingMessage): Refused | undefined {
  const isPage = headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
  const isCall = method === "POST" && isJson(headers["content-type"]) && !isPage && !takesJson(path);
  return isCall || path.startsWith("/api/mcp/")
    ? { status: 404, message: "There is no endpoint at this address; call /api/mcp." }
    : undefined;
}

/** Pages ask for `….data`. What Remix's asked for before that, it still answers, and reports as a failure of ours. */
function besidePages(path: string, { url = "" }: IncomingMessage): Refused | undefined {
  return new URLSearchParams(url.slice(path.length)).has("_data")
    ? { status: 404, message: "There is nothing at this address; open the page without _data." }
    : undefined;
}

/** Node takes the first of a doubled header in silence; a proxy in front may take the last. So neither is believed. */
const once = ["host", "authorization", "content-type"];

/** @param raw names and values by turns, as they came */
function isDoubled(name: string, raw: readonly string[]): boolean {
  let times = 0;
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]!.length === name.length && raw[i]!.toLowerCase() === name) times += 1;
  return times > 1;
}

function refusedHead(req: IncomingMessage, hosts: Set<string>): Refused | undefined {
  const { httpVersion, headers } = req;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return { status: 505, message: "Send HTTP/1.1." };
  const coding = headers["transfer-encoding"];
  // RFC 9112, 6.1: HTTP/1.0 has none, so its framing is not to be believed; no coding but chunked is known here.
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked"))
    return { status: 400, message: "The only Transfer-Encoding is chunked, of HTTP/1.1." };
  const doubled = once.find((name) => isDoubled(name, req.rawHeaders));
  if (doubled !== undefined) return { status: 400, message: `Send one ${doubled} header.` };
  const { host } = headers;
  if (host === undefined && httpVersion === "1.1") return { status: 400, message: "Send a Host header." };
  const name = host === undefined ? undefined : hostName(host);
  if (host !== undefined && name === undefined) return { status: 400, message: "The Host header is malformed." };
  // Addresses pass: DNS rebinding needs a name.
  if (name !== undefined && !isIP(name) && !hosts.has(name))
    return {
      status: 421,
      message: "This host is not served here. Call us by our public address; operators add names to ALLOWED_HOSTS.",
    };
  return refusedTarget(req);
}

/** Makes `/path?query` of a target that names the whole URL, as RFC 9112 (3.2.2) wants it, if it names the same host. */
function refusedTarget(req: IncomingMessage): Refused | undefined {
  const [whole, authority, rest = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(req.url ?? "") ?? [];
  if (whole !== undefined) {
    if (authority?.toLowerCase() !== req.headers.host?.toLowerCase())
      return { status: 400, message: "The target and the Host header name different hosts." };
    req.url = rest.startsWith("/") ? rest : `/${rest}`;
  }
  return isPath(pathOf(req)) ? undefined : { status: 400, message: "The address is malformed." };
}

/** As URLs are read (WHATWG): also escaped, but not beside an escaped slash. */
const dotSegment = /\/(\.|%2e){1,2}(\/|$)/i;

/**
 * A path that reads the same to all behind us: some take a backslash for a slash, as browsers do, and some take `..` away,
 * so that what was checked here would be another page there. PostgreSQL's text has no NUL.
 */
function isPath(path: string): boolean {
  try {
    const decoded = path.includes("%") ? decodeURIComponent(path) : path;
    return path.startsWith("/") && !dotSegment.test(path) && !decoded.includes("\\") && !decoded.includes("\0");
  } catch {
    return false;
  }
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

/** What pages, forms and procedures are asked by. */
const methods = new Set(["GET", "HEAD", "POST"]);
const methodNotAllowed: Refused = { status: 405, message: "Use GET, HEAD or POST.", allow: "GET, HEAD, POST" };

const refusedMethod = ({ method }: IncomingMessage): Refused | undefined =>
  methods.has(method ?? "") ? undefined : methodNotAllowed;

/**
 * Programs post here, without an Origin, and no cookie counts: mail programs, whose link has a token of its own (RFC
 * 8058), and GitHub, which signs. Whoever sends an Origin is a page, and must be ours.
 */
const forPrograms = new Set(["/unsubscribe", "/api/secret-scanning"]);

const takesJson = (path: string) => path.startsWith("/api/trpc/") || forPrograms.has(path);

/** Cross-site request forgery: what is posted must say that it comes from a page of ours. */
function crossSite(req: IncomingMessage, isOwnOrigin: OwnOrigin): Refused | undefined {
  const { origin, host } = req.headers;
  const site = req.headers["sec-fetch-site"];
  const isPrograms = origin === undefined && site === undefined && forPrograms.has(pathOf(req));
  if (req.method !== "POST" || isPrograms) return undefined;
  if (host === undefined) return { status: 400, message: "Send a Host header." };
  if (origin === undefined && site === undefined) return { status: 403, message: "Send an Origin header." };
  const own = (origin === undefined || isOwnOrigin(origin, host)) && (site === undefined || site === "same-origin");
  return own ? undefined : { status: 403, message: "Requests from other sites are refused." };
}

/** Forms and calls of pages: as much as the MCP endpoint takes, as it is, and of a length that is told. */
function refusedBody(req: IncomingMessage): Refused | undefined {
  if (req.headers["content-encoding"] !== undefined)
    return { status: 415, message: "Send the body as it is, without Content-Encoding." };
  if (isUpload(req)) return undefined;
  if (req.headers["transfer-encoding"] !== undefined) return { status: 411, message: "Send a Content-Length header." };
  if (Number(req.headers["content-length"] ?? 0) <= MAX_BODY_BYTES) return undefined;
  return { status: 413, message: `The body may be at most ${MAX_BODY_BYTES} bytes. Shorten what you typed.` };
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
  const hops = String(req.headers["x-forwarded-for"] ?? "").split(",");
  const hop = withoutPort(hops.at(-proxies)?.trim() ?? "");
  return isIP(hop) ? hop : peer;
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");
