// A way to a database that may go silent, as where a firewall forgets: nobody is told, and new connections are let through.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What goes to the database, and what comes from it. */
export type Direction = "statements" | "answers";

export interface SilentWay {
  /** The same database, by this way. */
  url: string;
  /** From now on nothing of it passes on the connections that there are, nor does their end. */
  swallow(direction: Direction): void;
  close(): void;
}

/**
 * @param url of a database with a socket, as those of tests have
 * @param port of the way; any free one unless given
 * @param told what comes of each part of an answer on its way
 */
export async function silentWay(url: string, port = 0, told = (answer: Buffer) => answer): Promise<SilentWay> {
  const target = new URL(url);
  const path = `${target.searchParams.get("host")}/.s.PGSQL.${target.port}`;
  const sockets = new Set<Socket>();
  let present: { swallowed?: Direction }[] = [];
  const server = createServer((caller) => {
    const database = connect(path);
    const connection: { swallowed?: Direction } = {};
    present.push(connection);
    const pass = (from: Socket, to: Socket, direction: Direction) => {
      const on = direction === "answers" ? told : (chunk: Buffer) => chunk;
      sockets.add(from);
      from.on("data", (chunk) => void (connection.swallowed !== direction && to.write(on(chunk))));
      from.on("error", () => {}); // "close" comes next
      from.on("close", () => void (connection.swallowed || to.destroy()));
    };
    pass(caller, database, "statements");
    pass(database, caller, "answers");
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  target.searchParams.delete("host");
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: target.href,
    swallow(direction) {
      for (const connection of present) connection.swallowed = direction;
      present = [];
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
