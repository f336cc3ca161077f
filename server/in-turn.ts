// The requests of a connection, one at a time; and none ends more than its connection, whatever goes wrong where it begins.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Core } from "./context";
import { isEnding } from "./edge";

/** More than any client sends without waiting for answers. Node goes on reading while nothing is answered. */
const MOST_WAITING = 100;
/** How many requests wait for their turn. */
const waiting = new WeakMap<Socket, number>();

/**
 * Of pipelined requests each is begun once the answer before it is out: a client that does not read gets no more work done. What
 * was sent behind a refusal is not begun.
 */
export function inTurn(
  log: Core["log"],
  req: IncomingMessage,
  res: ServerResponse,
  begin: (req: IncomingMessage, res: ServerResponse) => void,
): void {
  const { socket } = req;
  const others = waiting.get(socket) ?? 0;
  if (res.socket) beginIt();
  else if (others === MOST_WAITING) socket.destroy();
  else {
    waiting.set(socket, others + 1);
    res.once("socket", () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      beginIt();
    });
  }

  function beginIt() {
    if (isEnding(socket)) return;
    try {
      begin(req, res);
    } catch (error) {
      // Nobody else catches what an event of the server throws: it would end the process.
      log.error({ err: error }, "internal error");
      socket.destroy();
    }
  }
}
