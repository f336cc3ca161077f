// A request read and run, also before its key was asked for (decision 0031).
import type { Consumer, Ctx } from "../context";
import * as pipeline from "../pipeline";
import type { Answer } from "./answers";
import type { Exchange } from "./handle";
import { INVALID_REQUEST, type Message, parse, protocolVersions, type Request, RpcError } from "./jsonrpc";
import { run } from "./methods";

/** One message, in a protocol version that we know. @throws RpcError: no JSON, no message, another version */
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
  /** Where it calls a tool whose arguments fit. */
  call?: pipeline.PreparedCall;
  answer: Promise<Answer>;
}

export function begin(ctx: Ctx<Consumer>, message: Request): Work {
  const work = {} as Work;
  work.answer = run(ctx, message, (call) => {
    work.call = call;
  });
  // A refusal of it matters only once the request itself is let through.
  work.answer.catch(() => {});
  return work;
}

export interface Foreseen {
  ctx: Ctx<Consumer>;
  message: Request;
  work: Work;
}

/** A request that will most likely be let through, begun while its key is asked for. */
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
