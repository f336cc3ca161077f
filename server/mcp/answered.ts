// What is known of a request once it is answered: for the log, metrics and traces.
import type { Consumer, Ctx } from "../context";
import type { Answer } from "./answers";
import type { Exchange } from "./handle";
import { isObject, type Request } from "./jsonrpc";

/** A step of a request, and when it ended (`performance.now()`): the next step begins then. */
export type Phase = [name: "admit" | "limit" | "run" | "disk" | "record", endedAt: number];

/** A trace that the caller began, in the form of W3C Trace Context. */
export interface TraceParent {
  traceparent: string;
  tracestate?: string | undefined;
}

export interface Answered {
  requestId: string;
  endpoint: "api" | "directory" | "playground";
  /** The consumer's slug. */
  consumer: string | undefined;
  /** As `shownMethod` has it. */
  method: string | undefined;
  tool: string | undefined;
  status: number;
  errorCode: string | undefined;
  /** `performance.now()`. */
  startedAt: number;
  endedAt: number;
  phases: Phase[];
  /** The traces that the headers and `_meta` name; not checked yet. */
  parents: { header: TraceParent | undefined; meta: TraceParent | undefined };
}

/** A method as it may be written down: what does not look like one may be anything, even a key. */
export const shownMethod = ({ method }: Request): string => (/^[a-z][a-z/]{0,59}$/i.test(method) ? method : "other");

/** @param known what is known beside the exchange itself */
export function answeredOf(
  { requestId, directorySlug, member, startedAt, headers }: Exchange,
  known: {
    ctx?: Ctx<Consumer>;
    message?: Request | undefined;
    tool?: string | undefined;
    phases?: Phase[] | undefined;
  },
  { status, errorCode }: Answer,
): Answered {
  const params = known.message?.params;
  return {
    requestId,
    endpoint: member ? "playground" : directorySlug === undefined ? "api" : "directory",
    consumer: known.ctx?.actor.slug,
    method: known.message && shownMethod(known.message),
    tool: known.tool,
    status,
    errorCode,
    startedAt,
    endedAt: performance.now(),
    phases: known.phases ?? [],
    parents: {
      header: parentIn(headers),
      meta: parentIn(isObject(params) ? params._meta : undefined),
    },
  };
}

function parentIn(carrier: unknown): TraceParent | undefined {
  if (!isObject(carrier)) return undefined;
  const { traceparent, tracestate } = carrier;
  if (typeof traceparent !== "string") return undefined;
  return { traceparent, tracestate: typeof tracestate === "string" ? tracestate : undefined };
}
