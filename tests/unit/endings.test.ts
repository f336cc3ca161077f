// What is refused on a connection on which an answer has begun.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import pino from "pino";
import { expect, it, onTestFinished } from "vitest";
import { refuseConnection } from "../../server/edge";

it("what is no HTTP behind a request whose answer has begun breaks the connection off, and nothing is written into that answer", async () => {
  const server = createServer((_req, res) => res.writeHead(200, { "content-length": "9" }).write("half"));
  onTestFinished(() => void server.close());
  const log = pino({ level: "silent" });
  server.on("clientError", (error, socket) => refuseConnection(log, error, socket as Socket, new Map()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const closed = once(client, "close");
  let answer = "";
  client.on("error", () => {}); // a reset: "close" comes next
  client.on("data", (chunk) => {
    answer += chunk;
    if (answer.endsWith("half")) client.write("GARBAGE\r\n\r\n");
  });
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nhalf$/s);
});
