import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A server that lets everybody in, and says nothing but what `talk` has it say; gone when the test is, or when `over` says.
 * @returns its port on 127.0.0.1
 */
export async function silentServer(
  talk: (socket: Socket) => void = () => {},
  over: (end: () => void) => void = onTestFinished,
): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    talk(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  over(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
