// Who watches the requests: metrics, where METRICS_PORT is set, and traces, where OTEL_EXPORTER_OTLP_ENDPOINT is. Without
// either, none of it is even imported, and a request does nothing for it.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Core } from "./context";
import type { Env } from "./env";
import { listen } from "./listen";
import type { Answered, TraceParent } from "./mcp/answered";
import { pathOf } from "./request-head";

/** A request of the site once it is over: a page, a form, a procedure, also a refused one. */
export interface Visited {
  requestId: string;
  method: string;
  /** Without the query. */
  path: string;
  /** Undefined where whoever asked was gone before it was answered, or was cut off. */
  status: number | undefined;
  /** `performance.now()`. */
  startedAt: number;
  endedAt: number;
  parent: TraceParent | undefined;
}

export interface Watch {
  /** Undefined where nobody watches. */
  answered: ((request: Answered) => void) | undefined;
  /** A request of the site that has begun: it is told once it is over. */
  visited: ((req: IncomingMessage, res: ServerResponse, requestId: string) => void) | undefined;
  /** Where the metrics are, if they are on. */
  metricsUrl: string | undefined;
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}

/** Turns on what the environment asks for. With metrics, `core.limits` is replaced by one whose decisions are counted. */
export async function startWatch(core: Core, env: Env): Promise<Watch> {
  const metrics = env.METRICS_PORT === undefined ? undefined : (await import("./metrics")).createMetrics();
  const traces = env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? (await import("./tracing")).createTraces(env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_SERVICE_NAME)
    : undefined;
  if (metrics) core.limits = metrics.observe(core.limits);
  const server = metrics?.server(core);
  const port = server && (await listen(server, "METRICS_PORT", env.METRICS_PORT!, env.METRICS_HOST));
  const isWatched = metrics !== undefined || traces !== undefined;
  return {
    answered: isWatched
      ? (request) => {
          metrics?.answered(request);
          traces?.answered(request);
        }
      : undefined,
    visited: isWatched
      ? (...visit) =>
          onceOver(visit, (page) => {
            metrics?.visited(page);
            traces?.visited(page);
          })
      : undefined,
    metricsUrl: server && `http://${env.METRICS_HOST}:${port}/metrics`,
    async stop() {
      server?.close();
      server?.closeAllConnections();
      await traces?.stop();
    },
  };
}

function onceOver(
  [req, res, requestId]: Parameters<NonNullable<Watch["visited"]>>,
  tell: (page: Visited) => void,
): void {
  const startedAt = performance.now();
  const { traceparent, tracestate } = req.headers as Record<string, string | undefined>;
  const path = pathOf(req);
  res.once("close", () =>
    tell({
      requestId,
      method: req.method ?? "",
      path,
      status: res.headersSent ? res.statusCode : undefined,
      startedAt,
      endedAt: performance.now(),
      parent: traceparent === undefined ? undefined : { traceparent, tracestate },
    }),
  );
}
