// Reading a request and running it, if need be before its key has been looked up (decision 0031).
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
  // If the request is refused before, for its key or limit, nobody awaits this.
  work.answer.catch(() => {});
  return work;
}

export interface Foreseen {
  ctx: Ctx<Consumer>;
  message: Request;
  work: Work;
}

/** Begins a request that will most likely be admitted, while its key is looked up. @returns undefined where it must wait */
export function foresee(ctx: Ctx<Consumer>, exchange: Exchange): Foreseen | undefined {
  if (!pipeline.mayRunAhead(ctx)) return undefined;
  try {
    const message = read(exchange);
    return message.kind === "request" ? { ctx, message, work: begin(ctx, message) } : undefined;
  } catch {
    // It is refused when it is read again, after the checks that come first.
    return undefined;
  }
}
