// Request ⇄ handle(): the way in through Remix's resource routes.
import type { Core } from "../context";
import { MAX_BODY_BYTES, type McpConfig } from "./handle";
import { type Arrival, serve } from "./serve";

export async function serveFetch(core: Core, config: McpConfig, request: Request, arrival: Arrival): Promise<Response> {
  const startedAt = performance.now();
  const body = await readBody(request);
  const headers = Object.fromEntries(request.headers);
  const answer = await serve(core, config, { ...arrival, method: request.method, headers, body, startedAt }, arrival);
  const answered = new Headers(answer.headers);
  answered.set("content-length", String(Buffer.byteLength(answer.body ?? "")));
  return new Response(request.method === "HEAD" ? null : answer.body, { status: answer.status, headers: answered });
}

async function readBody(request: Request): Promise<Uint8Array | null> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
