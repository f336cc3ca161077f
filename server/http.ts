// HTTP: request id, what is refused before any route, the API's direct way in; everything else goes to the site.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { newRequestId } from "./context";
import { endWith, hasBody, inert, isNavigation, type Refused, refuseConnection, sendRefusal, usePost } from "./edge";
import { type Env, publicUrl } from "./env";
import { inTurn } from "./in-turn";
import { isJson } from "./mcp/accept";
import { MAX_BODY_BYTES, type McpConfig } from "./mcp/handle";
import { serveNode } from "./mcp/node-adapter";
import type { Arrival } from "./mcp/serve";
import { clientAddress, hasCome, pathOf, refusedHead } from "./request-head";
import { createSite, type SiteParts } from "./site";

const DEADLINE_MS = 2_500;
/** How long a client may neither send nor read while an answer waits for it. */
const STALLED_MS = 120_000;
/** Longer than proxies keep an idle connection (mostly a minute): the side that sends must be the first to close it. */
const IDLE_MS = 75_000;

const stayWithHttps: [name: string, value: string] = [
  "strict-transport-security",
  "max-age=31536000; includeSubDomains",
];

export function createHttpServer(parts: SiteParts): Server {
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
  const refuseWhole = (error: NodeJS.ErrnoException, socket: Socket) =>
    refuseConnection(core.log, error, socket, everywhere);

  const refuseExpectation = (req: IncomingMessage, res: ServerResponse) =>
    sendRefusal(core.log, req, res.setHeaders(everywhere), newRequestId(), {
      status: 417,
      message: "Expect is not supported.",
    });

  function serve(req: IncomingMessage, res: ServerResponse) {
    if (inFlight.isLeaving) res.shouldKeepAlive = false;
    const requestId = newRequestId();
    // Most bodies come with their headers, and need no timer.
    if (hasBody(req)) process.nextTick(boundBody, req, res, refuseWhole);
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
    const refusedVisit =
      besideDoors(path, req) ??
      besidePages(path, req) ??
      refusedMethod(req) ??
      crossSite(req, isOwnOrigin) ??
      refusedBody(req);
    if (refusedVisit) {
      watch?.visited?.(req, res, requestId);
      return sendRefusal(core.log, req, res, requestId, refusedVisit, isNavigation(path, req));
    }
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
    (req, res) => inTurn(core.log, req, res, serve),
  );
  // Beyond it Node drops headers in silence, and a doubled one with them; their size is bounded anyway.
  server.maxHeadersCount = 0;
  server.setTimeout(STALLED_MS);
  server.on("checkExpectation", (req, res) => inTurn(core.log, req, res, refuseExpectation));
  server.on("connect", (req, socket: Socket) => {
    // Node listens no longer: a reset would end the process.
    socket.on("error", () => {});
    endWith(core.log, socket, doorOf(pathOf(req), req.url ?? "") ? usePost : methodNotAllowed, everywhere);
  });
  server.on("clientError", (error, socket) => refuseWhole(error, socket as Socket));
  return server;
}

const BODY_MS = 18_000;
/** Files of catalogues and of stock, which their routes stream and bound themselves. They may take longer, as long as more of them comes. */
const isUpload = (req: IncomingMessage): boolean =>
  req.method === "POST" &&
  /^\/merchant\/(catalogue\/[^/]+|stores\/[^/]+\/stock(\.data)?)$/.test(pathOf(req)) &&
  /^multipart\/form-data\b/i.test(req.headers["content-type"] ?? "");
const UPLOAD_MS = 30 * 60_000;
const UPLOAD_LEAST_BYTES = 20_000;

/**
 * Whoever sends a body slowly, to hold a connection, is cut off: after 18 s, uploads when they all but stand still.
 * @param refuse ends the connection with an error
 */
function boundBody(
  req: IncomingMessage,
  res: ServerResponse,
  refuse: (error: NodeJS.ErrnoException, socket: Socket) => void,
): void {
  if (hasCome(req) || req.destroyed) return;
  const { socket } = req;
  const mayTakeLong = isUpload(req);
  const begun = performance.now();
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    const comesOn = socket.bytesRead - seen >= UPLOAD_LEAST_BYTES && performance.now() - begun < UPLOAD_MS;
    seen = socket.bytesRead;
    if (req.complete) clearInterval(timer);
    else if (mayTakeLong && comesOn) return;
    // Refused already: there is nothing more to say.
    else if (res.writableEnded) socket.destroy();
    else refuse(Object.assign(new Error("slow body"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
  }, BODY_MS);
  req.once("close", () => clearInterval(timer));
}

/** The endpoint's doors: for keys, for directories, and for the client doctor. */
function doorOf(path: string, url: string): Pick<Arrival, "directorySlug" | "doctor"> | undefined {
  if (path === "/api/mcp") return { directorySlug: undefined };
  const [, kind, name] = /^\/api\/mcp\/(p|doctor)\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  if (kind === "p") return { directorySlug: name };
  return { directorySlug: undefined, doctor: { token: name, query: url.slice(path.length + 1) } };
}

/** Remix's router also takes capitals, percent-escapes and `….data` for the endpoint's addresses: none may be a second way in. */
const likeADoor = /^\/api\/mcp(\/|\.data$|$)/i;

/** Where MCP's clients register when they are refused for their key and find no other way to log in: they show the answer. */
const noOAuth: Refused = {
  status: 404,
  message:
    "There is no OAuth here, so there is nothing to register: your API key is missing or was refused. Send it as 'Authorization: Bearer <key>' to /api/mcp.",
};

/** A program that posts JSON here, or calls an address like the endpoint's, has the wrong one: it is told so, and not what a form lacks. */
function besideDoors(path: string, { method, headers }: IncomingMessage): Refused | undefined {
  const isPage = headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
  const isCall = method === "POST" && isJson(headers["content-type"]) && !isPage && !takesJson(path);
  const isLikeADoor = likeADoor.test(decodeURIComponent(path));
  if (!isCall && !isLikeADoor) return undefined;
  if (path === "/register") return noOAuth;
  // With a slash too many, the door that was meant is known.
  const meant = path.replace(/(?<!\/)\/+$/, "");
  const door = isLikeADoor && doorOf(meant, "") ? meant : "/api/mcp";
  // The address that is told may have a key or a token in it, put where a name belongs.
  return {
    status: 404,
    message: `There is no endpoint at this address; call ${door}.`,
    logged: "no endpoint at this address",
  };
}

/** More than the links of any page fit into the 7,680 characters that Remix takes. */
const MOST_PARTS = 700;

/**
 * Pages ask for `….data`; Remix still answers the older `_data`, and would report it as a failure of ours. They also ask
 * which modules their links lead to: each part of each path is looked for among all routes.
 */
function besidePages(path: string, { url = "" }: IncomingMessage): Refused | undefined {
  const query = new URLSearchParams(url.slice(path.length));
  if (query.has("_data"))
    return { status: 404, message: "There is nothing at this address; open the page without _data." };
  return path === "/__manifest" && query.getAll("p").join("").split("/").length > MOST_PARTS
    ? { status: 400, message: "These are more paths than a page has." }
    : undefined;
}

/** The names by which it may be called, in lower case; addresses may always. */
export function allowedHosts(env: Pick<Env, "BASE_URL" | "HOST" | "PORT" | "ALLOWED_HOSTS">): Set<string> {
  return new Set(["localhost", new URL(publicUrl(env)).hostname, ...env.ALLOWED_HOSTS]);
}

type OwnOrigin = (origin: string, host: string | undefined) => boolean;

/** The Host was checked before, so an Origin that equals it is our own. */
function ownOriginCheck(env: Env): OwnOrigin {
  const base = env.BASE_URL ? new URL(env.BASE_URL) : undefined;
  return (origin, host) =>
    origin === base?.origin || (host !== undefined && origin === `${base?.protocol ?? "http:"}//${host}`);
}

/** The methods of pages, forms and procedures. */
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

/** Forms and calls of pages: uncompressed, calls in JSON and for JSON, with a Content-Length, and no longer than the MCP endpoint takes. */
function refusedBody(req: IncomingMessage): Refused | undefined {
  if (req.headers["content-encoding"] !== undefined)
    return { status: 415, message: "Send the body as it is, without Content-Encoding." };
  const isProcedure = pathOf(req).startsWith("/api/trpc/");
  // A stream would begin, with its status and headers, before its procedures have run: and those set cookies.
  if (isProcedure && [req.headers["trpc-accept"], req.headers.accept].some((accept) => accept?.includes("jsonl")))
    return { status: 400, message: "The request asks for a stream. Answers come whole, as JSON." };
  // tRPC would take forms and files, too.
  if (isProcedure && req.method === "POST" && !isJson(req.headers["content-type"]))
    return { status: 415, message: "Send JSON." };
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
