// The site: security headers, health, static files, and Remix with what its routes may reach (the load context).
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import express from "express";
import type { ViteDevServer } from "vite";
import { assets, cannotBeHad, files } from "./assets";
import * as clock from "./clock";
import { type Core, contextFor } from "./context";
import * as cookies from "./cookies";
import { isNavigation, type Refused, sendRefusal, tell } from "./edge";
import type { Env } from "./env";
import { unavailable } from "./errors";
import type { InFlight } from "./in-flight";
import { tooLate, waitedFor } from "./late-pages";
import { leakReports, publishedKeys } from "./leak-reports";
import { networkOf } from "./limit-store";
import { serveFetch } from "./mcp/fetch-adapter";
import type { McpConfig } from "./mcp/handle";
import { runAsMember } from "./mcp/playground";
import { mayServe } from "./readiness";
import { securityHeaders } from "./security-headers";
import { securityTxt } from "./security-txt";
import * as failures from "./services/failures";
import * as mail from "./services/mail";
import * as sessions from "./sessions";
import { sharing } from "./shares";
import { type AppCaller, appRouter, createCaller } from "./trpc/router";
import { type CallContext, type Explained, explain } from "./trpc/trpc";
import type { Watch } from "./watch";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** The MCP endpoint, for its resource routes. */
    mcp: (request: Request, directorySlug?: string, doctorToken?: string) => Promise<Response>;
    /** tRPC over HTTP, for its resource route. */
    trpc: (request: Request) => Promise<Response>;
    /** The same procedures, called by a page's loader or action. */
    api: AppCaller;
    /** So much is under way that no loader or action of this request is begun. */
    isBusy: boolean;
    /** A page's own script asks (`….data`): it reads nothing but Remix's own form of an answer, which is held in memory whole. */
    isData: boolean;
    /** Loaders and actions of this request that were begun. */
    underWay: Promise<unknown>[];
    /** Resolves once they take long while the database does not answer. */
    tooLate: Promise<void>;
    /** Reports of leaked keys, for their resource route. */
    leakReports: (request: Request) => Promise<Response>;
    explain: (error: unknown) => Explained;
    /** Logs what failed and is no answer to anybody, with the request's id. */
    report: (error: unknown) => void;
    /** Where the public reaches us, without a slash at the end. */
    baseUrl: string;
    /** Where people write to for help. */
    support: string | undefined;
    /** Whether mails leave: in production by SMTP alone. */
    sendsMail: boolean;
    /** What was "sent" without SMTP; undefined where nobody may look. */
    localMail: (() => Promise<mail.LocalMail[]>) | undefined;
    nonce: string;
    requestId: string;
  }
}

export interface SiteParts {
  core: Core;
  env: Env;
  /** Remix's server build, or how to load the present one while developing. */
  build: ServerBuild | (() => Promise<ServerBuild>);
  inFlight: InFlight;
  watch?: Pick<Watch, "answered" | "visited">;
  vite?: ViteDevServer | undefined;
}

interface Visit {
  requestId: string;
  address: string;
}

const MAX_BATCH = 10;
/** Pages go on waiting for a database that hangs after their visitors were told: at most so many, to bound memory. */
const MOST_IN_FLIGHT = 1_000;
const { code, message, face } = unavailable(undefined);
const busy: Refused = { status: face.http, code, message };
const loopback = new Set(["localhost", "127.0.0.1", "::1", "[::1]", "::ffff:127.0.0.1"]);
const nameOf = (baseUrl = "http://localhost") => new URL(baseUrl).hostname;

/** What is answered without Remix (assets, health, well-known addresses), and the security headers of every other answer. */
function answerBesidesPages(app: express.Express, { core, env, inFlight, vite }: SiteParts): void {
  // Assets are no documents: the headers of every answer (`inert` in edge.ts) are all that they need, and a page has a dozen of them.
  if (!vite) app.use("/assets", assets("build/client/assets"));
  app.use((req, res, next) => {
    res.locals.nonce = randomBytes(16).toString("base64");
    // Merchants' pictures are shown in the Playground, and nowhere else.
    const pictures = req.path === "/console/playground" ? "https:" : "";
    res.set(securityHeaders(res.locals.nonce, { development: vite !== undefined, pictures }));
    sayWhenToComeBack(res);
    next();
  });
  // They are about this very moment: no cache may answer in our place, not even that a well-known address has nothing.
  app.use(["/healthz", "/readyz", "/.well-known"], (_req, res, next) => {
    res.set("cache-control", "no-store");
    next();
  });
  app.get("/healthz", (_req, res) => void res.json({ status: "ok" }));
  app.get("/readyz", async (_req, res) => {
    const status = inFlight.isLeaving ? "stopping" : (await mayServe(core)) ? "ok" : "database unavailable";
    res.status(status === "ok" ? 200 : 503).json({ status });
  });
  const support = env.SUPPORT_EMAIL;
  if (support)
    app.get("/.well-known/security.txt", (_req, res) => {
      res.type("text").send(securityTxt(core.baseUrl, support, clock.now()));
    });
  // Where clients look for an authorization server: there is none, and no page is rendered to say so.
  app.use("/.well-known", (_req, res) => void res.status(404).type("text").send("Not found"));
  if (vite) app.use(vite.middlewares);
  else app.use(files("build/client"));
}

export function createSite(parts: SiteParts, mcp: McpConfig) {
  const { core, env, build, inFlight, watch } = parts;
  const app = express();
  app.disable("x-powered-by");
  app.disable("query parser"); // pages read their own
  answerBesidesPages(app, parts);
  const shareOfEach = sharing(core);
  const takeLeakReport = leakReports(core, publishedKeys(env.SECRET_SCANNING_KEYS_URL));
  const remix = createRequestHandler({
    build: typeof build === "function" ? async () => waitedFor(await build()) : waitedFor(build),
    getLoadContext: (req, res) => {
      const visit = res.locals.visit as Visit;
      res.locals.underWay = [];
      const late = tooLate(core, res);
      let isGivenUp = false;
      void late.then(() => {
        isGivenUp = true;
      });
      const shareOf = (name: string) => shareOfEach(name, () => isGivenUp);
      let begun: Promise<CallContext> | undefined;
      const call = () => (begun ??= callContext({ core, env, mcp, shareOf }, req, res, visit));
      // While the database is away, each of a page's loaders fails for the same reason: it is logged once.
      const reasons = new Set<string>();
      const told = (error: unknown) => {
        const explained = explain(error);
        res.locals.wait ??= explained.details.retry_after;
        const reason = explained.status === 503 ? String(error) : undefined;
        if (reason && reasons.has(reason)) return explained;
        if (reason) reasons.add(reason);
        return logged(core, { requestId: visit.requestId, door: req.path }, explained, error);
      };
      return {
        requestId: visit.requestId,
        nonce: res.locals.nonce,
        explain: told,
        report: (error) => report(core, { requestId: visit.requestId, door: req.path }, error),
        leakReports: (request) => takeLeakReport({ request, ...visit }),
        baseUrl: core.baseUrl,
        support: env.SUPPORT_EMAIL,
        api: createCaller(call),
        isBusy: res.locals.isBusy === true,
        isData: req.path.endsWith(".data"),
        underWay: res.locals.underWay,
        tooLate: late,
        trpc: (request) => serveTrpc(request, call, told, visit.requestId),
        mcp: (request, directorySlug, token) => {
          const doctor = token === undefined ? undefined : { token, query: new URL(request.url).search.slice(1) };
          return serveFetch(core, mcp, request, { ...visit, directorySlug, doctor });
        },
        sendsMail: env.SMTP_URL !== undefined || env.NODE_ENV !== "production",
        localMail: localMail(core, env, req),
      };
    },
  });
  app.all("*", (req, res, next) => {
    if (res.destroyed) return; // Its reader left while a file of that name was looked for.
    watch?.visited?.(req, res, (res.locals.visit as Visit).requestId);
    // Pages are a person's own: no cache keeps them. The demo's pictures are everybody's.
    if (!req.path.startsWith("/demo-images/")) res.set("cache-control", "no-store");
    res.locals.isBusy = inFlight.count >= MOST_IN_FLIGHT;
    // A page's own script reads nothing but Remix's answers: so Remix runs, and its loaders refuse (`isBusy`, late-pages.ts).
    if (res.locals.isBusy) {
      const { requestId } = res.locals.visit as Visit;
      if (req.path.endsWith(".data")) tell(core.log, requestId, busy);
      else return sendRefusal(core.log, req, res, requestId, busy, isNavigation(req.path, req));
    }
    const answered = Promise.resolve(remix(req, res, next));
    return inFlight.track(
      res,
      answered.finally(() => Promise.allSettled(res.locals.underWay ?? [])),
    );
  });
  app.use(((error, req, res, _next) => {
    const { requestId } = res.locals.visit as Visit;
    if (cannotBeHad(error, res)) return tell(core.log, requestId, { status: error.status, message: error.message });
    report(core, { requestId, door: req.path }, error);
    if (!res.headersSent) res.status(500).type("text").send(`Internal error (${requestId})`);
  }) satisfies express.ErrorRequestHandler);

  return (req: IncomingMessage, res: ServerResponse, visit: Visit) => {
    Object.assign(res, { locals: { visit } });
    app(req as express.Request, res as express.Response);
  };
}

/** Every 503 is told to come back in a second, whoever sends it; a 429 when its limit lets one in again. */
function sayWhenToComeBack(res: express.Response): void {
  const writeHead = res.writeHead as (...head: unknown[]) => express.Response;
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    const wait = status === 503 ? 1 : status === 429 ? res.locals.wait : undefined;
    if (wait !== undefined && !res.hasHeader("retry-after")) res.setHeader("retry-after", String(wait));
    return writeHead.call(res, status, ...rest);
  }) as typeof res.writeHead;
}

async function callContext(
  { core, env, mcp, shareOf }: Pick<SiteParts, "core" | "env"> & { mcp: McpConfig; shareOf: (name: string) => Core },
  req: express.Request,
  res: express.Response,
  visit: Visit,
): Promise<CallContext> {
  const visitor = await sessions.read({ ...core, sql: core.people }, req.headers.cookie);
  return {
    core: shareOf(visitor?.account.id ?? networkOf(visit.address)),
    now: clock.now(),
    requestId: visit.requestId,
    address: visit.address,
    userAgent: req.headers["user-agent"],
    visitor,
    signUpProof: cookies.signUpProof(core, req.headers.cookie),
    logInToken: cookies.logInToken(core, req.headers.cookie),
    confirmedAddress: cookies.confirmedAddress(core, req.headers.cookie),
    operatorsNeedSecondFactor: env.OPERATORS_SECOND_FACTOR === "required",
    knownDevice: (account) => cookies.knownDevice(core, req.headers.cookie, account),
    setCookie: (header) => void res.append("set-cookie", header),
    runTool: (actor, call) => runAsMember(core, mcp, actor, call),
  };
}

async function serveTrpc(
  request: Request,
  call: () => Promise<CallContext>,
  told: (error: unknown) => Explained,
  requestId: string,
): Promise<Response> {
  const answer = await fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    // Who acts is asked once the body is there: a client may take its time to send it.
    createContext: async ({ info }) => {
      await Promise.allSettled(info.calls.map(({ getRawInput }) => getRawInput()));
      return call();
    },
    maxBatchSize: MAX_BATCH,
    onError: ({ error }: { error: unknown }) => void told(error),
  });
  if (answer.ok) return answer;
  // What fails before there is a context lacks the id, which `errorFormatter` takes from there.
  const body = await answer.json();
  for (const { error } of [body].flat()) if (error) error.data = { ...error.data, request_id: requestId };
  return Response.json(body, { status: answer.status });
}

function logged(core: Core, failed: failures.Failed, told: Explained, error: unknown): Explained {
  if (told.status < 500) return told;
  if (told.status === 503) {
    core.log.error({ request_id: failed.requestId, err: error }, "database unavailable");
    return told;
  }
  report(core, failed, error);
  return told;
}

/** What is a bug: to the log, and where support finds it by the request's id. */
function report(core: Core, failed: failures.Failed, error: unknown): void {
  core.log.error({ request_id: failed.requestId, err: error }, "internal error");
  failures.record(core, failed, error);
}

/** Headers by which a proxy or a tunnel says that a request is somebody else's, though it may name this machine as the host. */
const passedOn = new Set(["forwarded", "via", "x-forwarded-host", "x-forwarded-proto"]);

function localMail(core: Core, env: Env, req: express.Request) {
  // As they came: `nameOurHost` in http.ts has put others in their place.
  const sent = new Map(req.rawHeaders.flatMap((name, i, all) => (i % 2 ? [] : [[name.toLowerCase(), all[i + 1]!]])));
  // Behind a proxy or a tunnel of this machine everybody comes from here: so not under a public name, nor where it is passed on.
  const host = sent.get("host");
  const names = [nameOf(env.BASE_URL), host === undefined ? "" : nameOf(`http://${host}`)];
  const isHere = loopback.has(req.socket.remoteAddress ?? "") && names.every((name) => loopback.has(name));
  const isLocal = isHere && ![...passedOn].some((name) => sent.has(name));
  const allowed = env.NODE_ENV !== "production" && !env.SMTP_URL && isLocal;
  return allowed ? () => mail.recentLocal(contextFor(core, { kind: "system" })) : undefined;
}
