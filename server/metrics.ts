// Prometheus metrics, on a port of their own: not part of the public service. Imported only where METRICS_PORT is set.
import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Core } from "./context";
import { DomainError } from "./errors";
import type { Limits } from "./limits";
import type { Answered } from "./mcp/answered";
import { isReady } from "./readiness";
import { type Standing, standing } from "./services/health";
import { unwritten } from "./services/usage-begun";
import type { Visited } from "./watch";

const STANDING_MS = 2_000;
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export interface Metrics {
  answered(request: Answered): void;
  visited(page: Visited): void;
  /** The same limits, counted. */
  observe(limits: Limits): Limits;
  /** GET /metrics, and nothing else. */
  server(core: Pick<Core, "sql" | "log">): Server;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "aisle_requests_total",
    help: "Requests to the MCP endpoints and from the Playground, refused ones and notifications among them.",
    labelNames: ["endpoint", "method", "tool", "status", "error"],
    registers,
  });
  const durations = new Histogram({
    name: "aisle_request_duration_seconds",
    help: "From when the head of a request has come to its answer, refused ones among them, by tool (empty for what calls none).",
    labelNames: ["endpoint", "tool"],
    buckets: SECONDS,
    registers,
  });
  const pages = new Histogram({
    name: "aisle_page_duration_seconds",
    help: "Pages, forms and procedures of the site, by method and class of status; none where it was not answered.",
    labelNames: ["method", "status"],
    buckets: SECONDS,
    registers,
  });
  const limited = new Counter({
    name: "aisle_limiter_total",
    help: "Decisions of the rate limiter: allowed, refused, or failed since the database did not answer.",
    labelNames: ["limit", "outcome"],
    registers,
  });
  const following = new Gauge({
    name: "aisle_usage_following",
    help: "Usage rows of answered requests that this process is still to write.",
    registers,
  });
  const show = standingGauges(registry);

  return {
    answered({ endpoint, method, tool, status, errorCode, startedAt, endedAt }) {
      requests.inc({ endpoint, method: known(method), tool: tool ?? "", status, error: errorCode ?? "" });
      durations.observe({ endpoint, tool: tool ?? "" }, (endedAt - startedAt) / 1000);
    },
    visited({ method, status, startedAt, endedAt }) {
      pages.observe(
        { method: verbs.has(method) ? method : "other", status: status ? `${Math.floor(status / 100)}xx` : "none" },
        (endedAt - startedAt) / 1000,
      );
    },
    observe: (limits) => counting(limits, limited),
    server: (core) =>
      createServer(async (req, res) => {
        if (req.method !== "GET" || req.url?.split("?", 1)[0] !== "/metrics") return void res.writeHead(404).end();
        const isUp = await isReady(core);
        show(isUp, isUp ? await soonStanding(core) : undefined);
        following.set(unwritten(core));
        res
          .writeHead(200, { "content-type": registry.contentType, "cache-control": "no-store" })
          .end(await registry.metrics());
      }),
  };
}

/** What the database knows, within 2 s: Prometheus would give up a longer scrape. @returns undefined if it fails or takes longer */
async function soonStanding(core: Pick<Core, "sql" | "log">): Promise<Standing | undefined> {
  const asked = standing(core).catch((error) => {
    core.log.warn({ err: error }, "metrics without what the database knows");
    return undefined;
  });
  const tooLate = sleep(STANDING_MS, "late" as const, { ref: false });
  const first = await Promise.race([asked, tooLate]);
  if (first !== "late") return first;
  core.log.warn({ waitedMs: STANDING_MS }, "metrics without what the database knows");
  return undefined;
}

const methods = new Set(["initialize", "ping", "tools/list", "tools/call"]);
const verbs = new Set(["GET", "HEAD", "POST"]);

/** Labels come from short lists only: what callers make up would fill the memory. */
const known = (method: string | undefined) => (method === undefined ? "" : methods.has(method) ? method : "other");

/** Functions of the limits that only read or reset a count: they decide nothing, so they are not counted as decisions. */
const looks: ReadonlySet<string> = new Set<keyof Limits>([
  "consumerBeyond",
  "consumerUse",
  "playgroundUse",
  "loggedIn",
  "forgetCodesOfDay",
]);

function counting(limits: Limits, counter: Counter<"limit" | "outcome">): Limits {
  const counted = Object.entries(limits).map(([limit, run]) => [
    limit,
    looks.has(limit)
      ? run
      : async (...args: never[]) => {
          try {
            const passed = await (run as (...args: never[]) => Promise<unknown>)(...args);
            counter.inc({ limit, outcome: "allowed" });
            return passed;
          } catch (error) {
            counter.inc({ limit, outcome: error instanceof DomainError ? "refused" : "failed" });
            throw error;
          }
        },
  ]);
  return Object.fromEntries(counted) as Limits;
}

/** The gauges of what the database knows. @returns sets them for a scrape; without `now` they are left out of it */
function standingGauges(registry: Registry): (isUp: boolean, now: Standing | undefined) => void {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge("aisle_database_up", "1 when the database answers.");
  const plain = (name: string, help: string, of: (now: Standing) => number) => ({ one: gauge(name, help), of });
  const gauges = [
    plain("aisle_outbox_waiting", "Mails that wait to be sent.", ({ outbox }) => outbox.waiting),
    plain(
      "aisle_outbox_retrying",
      "Of these, mails that were refused more than once and wait for their next try.",
      ({ outbox }) => outbox.retrying,
    ),
    plain(
      "aisle_outbox_overdue_seconds",
      "How long the others wait though they are due, at most.",
      ({ outbox }) => outbox.overdueSeconds,
    ),
    plain("aisle_outbox_dead", "Mails that were given up.", ({ outbox }) => outbox.dead),
    plain("aisle_usage_pending", "Requests that are not counted yet.", ({ usage }) => usage.pending),
    plain(
      "aisle_usage_oldest_minute_seconds",
      "How long ago the oldest minute began that is not in the rollups yet.",
      ({ usage }) => usage.foldedSecondsAgo,
    ),
    plain(
      "aisle_usage_begun_overdue",
      "Groups of requests that were killed and are not recorded as interrupted yet.",
      ({ usage }) => usage.overdue,
    ),
    plain(
      "aisle_database_oldest_transaction_seconds",
      "How long the oldest transaction of any client goes on.",
      ({ oldestTransactionSeconds }) => oldestTransactionSeconds,
    ),
  ];
  const jobs = gauge(
    "aisle_jobs",
    "Jobs by queue and state; failed are those since the last that was done.",
    "queue",
    "state",
  );
  const connections = gauge(
    "aisle_database_connections",
    "Connections of all instances to the database.",
    "name",
    "state",
  );
  return (isUp, now) => {
    up.set(isUp ? 1 : 0);
    for (const { one, of } of gauges) now ? one.set(of(now)) : one.remove();
    jobs.reset();
    connections.reset();
    for (const { queue, state, jobs: count } of now?.jobs ?? []) jobs.set({ queue, state }, count);
    for (const { name, state, connections: count } of now?.connections ?? []) connections.set({ name, state }, count);
  };
}
