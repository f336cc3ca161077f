// Reads a request and runs it: where it can, ahead, that is while its key is still being looked up (decision 0031).
import type { Consumer, Ctx } from "../context";
import * as pipeline from "../pipeline";
import type { Answer } from "./answers";
import type { Exchange } from "./handle";
import { INVALID_REQUEST, type Message, parse, protocolVersions, type Request, RpcError } from "./jsonrpc";
import { run } from "./methods";

/** The one message of a body, in a protocol version that we know. @throws RpcError (no JSON, no message, another version) */
export function read({ headers, body }: Exchange): Message {
  const message = parse(body!);
  const version = headers["mcp-protocol-version"];
  if (version === undefined || protocolVersions.includes(version)) return message;
  throw new RpcError(
    INVALID_REQUEST,
    400,
    `MCP-Protocol-Version "${version.slice(0, 40)}" is not supported. Send the version that initialize answered, or leave the header out.`,
    { code: "unsupported_protocol_version", supported: protocolVersions },
    message.kind === "request" ? message.id : null,
  );
}

/** The request of a body, where it has one. What is wrong with any other is told when it is read, once its key has been checked. */
export function requestOf(exchange: Exchange): Request | undefined {
  try {
    const message = read(exchange);
    return message.kind === "request" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** A request under way. */
export interface Work {
  /** Set if it calls a tool and the arguments fit. */
  call?: pipeline.PreparedCall;
  answer: Promise<Answer>;
}

/** Runs a request. A failure rejects `answer`; it need not be awaited. */
export function begin(ctx: Ctx<Consumer>, message: Request): Work {
  const work = {} as Work;
  work.answer = run(ctx, message, (call) => {
    work.call = call;
  });
  // Where the request is refused for its key or its limit, nobody awaits the answer.
  work.answer.catch(() => {});
  return work;
}

/** A request that was begun ahead. `ctx` acts for the consumer that its key was last found to speak for. */
export interface Ahead {
  ctx: Ctx<Consumer>;
  message: Request;
  work: Work;
}

/** Begins a request ahead, as it will most likely be admitted. @returns undefined where it must wait for its key */
export function beginAhead(ctx: Ctx<Consumer>, exchange: Exchange): Ahead | undefined {
  const message = pipeline.mayRunAhead(ctx) ? requestOf(exchange) : undefined;
  return message && { ctx, message, work: begin(ctx, message) };
}
