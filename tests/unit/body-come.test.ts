// Whether a request's body is there already, so that neither a timer nor a stream's events are needed for it.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { hasCome } from "../../server/request-head";

const server = createServer();
afterEach(() => server.close());

/** Sends the parts, each once the one before has been asked about. @returns what was told in the tick after the headers */
async function told(parts: string[]): Promise<boolean> {
  server.removeAllListeners("request");
  if (!server.listening) await once(server.listen(0, "127.0.0.1"), "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [first, ...later] = parts;
  socket.write(first!);
  const [req, res] = await once(server, "request");
  await new Promise((resolve) => process.nextTick(resolve));
  const answer = hasCome(req);
  for (const part of later) socket.write(part);
  await req.toArray();
  expect(hasCome(req)).toBe(true);
  res.end();
  socket.destroy();
  return answer;
}

const head = (framing: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`;

test("a body that came with its headers is there in the next tick, also an empty one", async () => {
  expect(await told([`${head("Content-Length: 5")}hello`])).toBe(true);
  expect(await told([head("Content-Length: 0")])).toBe(true);
});

test("a body of which something is missing is not there, nor is one whose length nobody knows", async () => {
  expect(await told([`${head("Content-Length: 5")}hell`, "o"])).toBe(false);
  expect(await told([head("Content-Length: 5"), "hello"])).toBe(false);
  expect(await told([`${head("Transfer-Encoding: chunked")}5\r\nhello\r\n`, "0\r\n\r\n"])).toBe(false);
});
