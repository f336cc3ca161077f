// The Playground's way in: a member's call becomes the exchange that an agent's would be, and goes through handle() like it.
import { type Core, type Member, newRequestId } from "../context";
import { handle, MAX_BODY_BYTES, type McpConfig } from "./handle";

interface Call {
  tool: string;
  /** JSON text. */
  arguments: string;
  asDirectory: boolean;
}

const CLIENT = "Aisle Playground";

/** Runs a tool as the member's consumer. Whatever goes wrong is an answer, as on the wire. @param call checked by its door */
export async function runAsMember(core: Core, config: McpConfig, actor: Member, call: Call) {
  const startedAt = performance.now();
  const requestId = newRequestId();
  const name = JSON.stringify(call.tool);
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":${call.arguments}}}`;
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await handle(core, config, {
    method: "POST",
    headers: { ...headers, "user-agent": CLIENT },
    body: Buffer.byteLength(body) > MAX_BODY_BYTES ? null : Buffer.from(body),
    address: "playground",
    requestId,
    member: { actor, asDirectory: call.asDirectory },
    startedAt,
  });
  const text = answer.body ?? "";
  const bytes = Buffer.byteLength(text);
  const answered: Record<string, string> = { ...answer.headers, "content-length": String(bytes) };
  return {
    requestId,
    request: { headers, body },
    response: { status: answer.status, headers: answered, body: text, bytes },
    ms: (answer.latencyUs ?? (performance.now() - startedAt) * 1000) / 1000,
  };
}
