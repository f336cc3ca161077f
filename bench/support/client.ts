// A client that takes next to nothing of what is measured: a connection that stays, a request as bytes, an answer by its length.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Answered {
  /** From the request's first byte to the answer's last. */
  milliseconds: number;
  status: number;
  body: string;
}

export interface Client {
  /** One request at a time. @throws Error when the connection ends */
  ask(request: string): Promise<Answered>;
  close(): void;
}

export function newClient(url: string): Client {
  const { hostname, port } = new URL(url);
  let socket: Socket | undefined;
  return {
    async ask(request) {
      // Servers end what was quiet for long.
      if (!socket?.writable) {
        socket = connect(Number(port), hostname).setNoDelay();
        await once(socket, "connect");
      }
      return ask(socket, request);
    },
    close: () => void socket?.destroy(),
  };
}

function ask(socket: Socket, request: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let received: Buffer = Buffer.alloc(0);
    let end = Number.POSITIVE_INFINITY;
    let bodyAt = 0;
    const onData = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      if (bodyAt === 0) {
        const headEnd = received.indexOf("\r\n\r\n");
        if (headEnd < 0) return;
        bodyAt = headEnd + 4;
        end = bodyAt + Number(/\r\ncontent-length: (\d+)/i.exec(received.toString("latin1", 0, headEnd))![1]);
      }
      if (received.length < end) return;
      const milliseconds = performance.now() - started;
      done();
      resolve({
        milliseconds,
        status: Number(received.toString("latin1", 9, 12)),
        body: received.toString("utf8", bodyAt, end),
      });
    };
    const onClose = () => {
      done();
      reject(new Error("The connection ended before its answer."));
    };
    const done = () => socket.off("data", onData).off("close", onClose);
    socket.on("data", onData).on("close", onClose);
    socket.write(request);
  });
}
