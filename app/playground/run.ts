// What a run in the Playground says: the exchange, read.
import { compact, parsed } from "~/lib/json-text";
import type { AppOutputs } from "~/lib/trpc";

export type ToolRun = AppOutputs["playground"]["run"];
export type PlaygroundTool = AppOutputs["playground"]["read"]["tools"][number];

export interface ArgumentIssue {
  path: string;
  message: string;
}

export type Outcome =
  | { kind: "answer"; structured: Record<string, unknown> }
  /** A refusal of the call, or a tool result with `isError`. */
  | { kind: "refusal"; code: string; message: string; issues: ArgumentIssue[] };

interface Body {
  result?: { isError?: boolean; structuredContent?: Record<string, unknown>; content?: { text?: string }[] };
  error?: { message?: string; data?: { code?: string } };
}

/** What the answer's body says. */
export function outcomeOf({ response }: ToolRun): Outcome {
  const body = parsed(response.body) as Body | undefined;
  const told = body?.result?.isError
    ? (parsed(body.result.content?.[0]?.text ?? "") as Refusal | undefined)
    : undefined;
  if (body?.result && !body.result.isError) return { kind: "answer", structured: body.result.structuredContent ?? {} };
  return {
    kind: "refusal",
    code: told?.code ?? body?.error?.data?.code ?? String(response.status),
    message: told?.message ?? body?.error?.message ?? "The answer could not be read.",
    issues: told?.issues ?? [],
  };
}

interface Refusal {
  code?: string;
  message?: string;
  issues?: ArgumentIssue[];
}

export interface Rate {
  limit: number;
  used: number;
  resetSeconds: number;
}

/** Where the Playground's limit stands after a run, from the answer's RateLimit headers. */
export function rateOf({ response: { headers } }: ToolRun): Rate | undefined {
  const limit = /q=(\d+)/.exec(headers["ratelimit-policy"] ?? "")?.[1];
  const [, remaining, reset] = /r=(\d+);t=(\d+)/.exec(headers.ratelimit ?? "") ?? [];
  if (limit === undefined || remaining === undefined) return undefined;
  return { limit: Number(limit), used: Number(limit) - Number(remaining), resetSeconds: Number(reset) };
}

/** The address that opens the Playground with this call: no secret is in it. */
export const callLink = (tool: string, args: string, asDirectory = false) =>
  `/console/playground?${new URLSearchParams({ tool, arguments: compact(args), ...(asDirectory && { asDirectory: "on" }) })}`;

/** Characters: servers and proxies refuse addresses that are much longer. */
const MAX_LINK = 8_000;

export const isLinkable = (link: string) => link.length <= MAX_LINK;
