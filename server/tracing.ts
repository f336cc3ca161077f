// OpenTelemetry traces over OTLP/HTTP. Imported only where OTEL_EXPORTER_OTLP_ENDPOINT is set. Spans are made once a
// request is answered, from the times that were noted on its way: no hooks into promises, no cost while it runs.
import { setTimeout as sleep } from "node:timers/promises";
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { VERSION } from "./changelog";
import type { Answered, TraceParent } from "./mcp/answered";
import { redactText } from "./services/redaction";
import type { Visited } from "./watch";

interface Traces {
  answered(request: Answered): void;
  visited(page: Visited): void;
  /** Sends what was not sent yet, if the collector takes it within a second. Never fails. */
  stop(): Promise<void>;
}

/** How long a stop waits for a collector to take what was not sent yet. */
const LAST_SPANS_MS = 1_000;

const propagator = new W3CTraceContextPropagator();
const getter = { get: (carrier: TraceParent, key: string) => carrier[key as keyof TraceParent], keys: Object.keys };

/** @param endpoint as in OTEL_EXPORTER_OTLP_ENDPOINT: traces go to `<endpoint>/v1/traces` */
export function createTraces(endpoint: string, serviceName: string): Traces {
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName, "service.version": VERSION }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }), { scheduledDelayMillis: 2_000 })],
  });
  const tracer = provider.getTracer("aisle");

  return {
    answered({ requestId, endpoint, consumer, method, tool, status, errorCode, startedAt, endedAt, phases, parents }) {
      // `_meta` comes first: it is the caller's own, while a header may be a proxy's.
      const [parent, other] = [contextOf(parents.meta ?? parents.header), parents.meta && contextOf(parents.header)];
      const link = other && trace.getSpanContext(other);
      const span = tracer.startSpan(
        [method ?? "POST", tool].filter(Boolean).join(" "),
        {
          kind: SpanKind.SERVER,
          startTime: startedAt,
          links: link ? [{ context: link }] : [],
          attributes: {
            "aisle.request_id": requestId,
            "aisle.endpoint": endpoint,
            "aisle.consumer": consumer,
            "mcp.method.name": method,
            "gen_ai.tool.name": tool,
            "http.response.status_code": status,
            "error.type": errorCode,
          },
        },
        parent,
      );
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      const within = trace.setSpan(parent, span);
      let from = startedAt;
      for (const [name, until] of phases) {
        tracer.startSpan(name, { startTime: from }, within).end(until);
        from = until;
      }
      span.end(endedAt);
    },
    visited({ requestId, method, path, status, startedAt, endedAt, parent }) {
      const attributes = {
        "aisle.request_id": requestId,
        "http.request.method": method,
        // Somebody may have pasted a key behind a slash, or put one behind a doctor's token.
        "url.path": redactText(path.replace(/^(\/api\/mcp\/doctor\/)[^/]+/i, "$1[token]")),
        ...(status !== undefined && { "http.response.status_code": status }),
      };
      const options = { kind: SpanKind.SERVER, startTime: startedAt, attributes };
      const span = tracer.startSpan(method, options, contextOf(parent));
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    // What a collector does not take, or not at once, is lost: nothing waits for it.
    stop: () => Promise.race([provider.shutdown().catch(() => {}), sleep(LAST_SPANS_MS, undefined, { ref: false })]),
  };
}

/** The caller's trace; a new one where there is none, or where it is malformed. */
const contextOf = (parent: TraceParent | undefined): Context =>
  parent ? propagator.extract(ROOT_CONTEXT, parent, getter) : ROOT_CONTEXT;
