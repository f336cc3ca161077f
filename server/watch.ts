// Who watches the requests: metrics, where METRICS_PORT is set, and traces, where OTEL_EXPORTER_OTLP_ENDPOINT is. Without
// either, none of it is even imported, and a request does nothing for it.
import type { Core } from "./context";
import type { Env } from "./env";
import { listen } from "./listen";
import type { Answered, TraceParent } from "./mcp/answered";

/** A request of the site, once it is answered: a page, a form, a procedure. */
export interface Visited {
  requestId: string;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** `performance.now()`. */
  startedAt: number;
  endedAt: number;
  parent: TraceParent | undefined;
}

export interface Watch {
  /** Undefined where nobody watches. */
  answered: ((request: Answered) => void) | undefined;
  visited: ((page: Visited) => void) | undefined;
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
      ? (page) => {
          metrics?.visited(page);
          traces?.visited(page);
        }
      : undefined,
    metricsUrl: server && `http://${env.METRICS_HOST}:${port}/metrics`,
    async stop() {
      server?.close();
      server?.closeAllConnections();
      await traces?.stop();
    },
  };
}
