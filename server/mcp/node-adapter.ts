// node:http ⇄ handle(): the fast way in, past Express and Remix.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as immediate } from "node:timers/promises";
import type { Core } from "../context";
import { hasCome } from "../request-head";
import { MAX_BODY_BYTES, type McpConfig } from "./handle";
import { type Arrival, serve } from "./serve";

/** @param always headers of every answer: names and values by turns */
export async function serveNode(
  core: Core,
  config: McpConfig,
  req: IncomingMessage,
  res: ServerResponse,
  always: readonly string[],
  arrival: Arrival,
) {
  const startedAt = performance.now();
  const body = await readBody(req);
  if (body === "aborted") return;
  const headers = req.headers as Record<string, string | undefined>;
  const answer = await serve(core, config, { method: req.method ?? "", headers, body, startedAt, ...arrival }, arrival);
  const { headers: answered, body: text = "", bytes = Buffer.byteLength(text) } = answer;
  // Node writes such a list as it is; an object it would go through twice.
  const lines = [...always, "content-length", String(bytes)];
  for (const name in answered) lines.push(name, answered[name]!);
  if (answer.status >= 400) await turnsEnd();
  res.writeHead(answer.status, lines).end(text);
}

let end: Promise<void> | undefined;

/**
 * For refusals: those of one turn of the event loop are sent together at its end. Sent one by one, each would wake its
 * client by itself, which costs more than the refusal.
 */
function turnsEnd(): Promise<void> {
  end ??= immediate().then(() => {
    end = undefined;
  });
  return end;
}

/** The whole body; null when it is too large. */
function readBody(req: IncomingMessage): Promise<Buffer | null | "aborted"> {
  const tooLarge = () => letGo(req).then(() => null);
  if (Number(req.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return tooLarge();
  return new Promise((resolve) => {
    // Most bodies come with their headers, in one read of the socket (64 KiB): then there is nothing to wait for.
    process.nextTick(() => (hasCome(req) ? resolve((req.read() as Buffer | null) ?? nothing) : collect(resolve)));
  });

  function collect(resolve: (body: Buffer | null | "aborted" | PromiseLike<null>) => void): void {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) return void chunks.push(chunk);
      chunks.length = 0;
      req.removeAllListeners("data");
      resolve(tooLarge());
    });
    req.on("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on("close", () => resolve("aborted"));
  }
}

const nothing = Buffer.alloc(0);

const PATIENCE_MS = 2_000;

/**
 * Reads and drops the rest of a body that nobody wants: only a client that has sent everything is sure to read the answer.
 * @returns when all has come, or after 2 s
 */
export function letGo(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, PATIENCE_MS);
    // "close" comes after the end of a whole body, too.
    req.once("close", () => {
      clearTimeout(patience);
      resolve();
    });
    req.resume();
  });
}
