// What is sent while it is made is made for somebody who takes it.
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import type { Core } from "../../server/context";
import { createInFlight } from "../../server/in-flight";
import type { McpConfig } from "../../server/mcp/handle";
import { createSite } from "../../server/site";
import { envOfNoDatabase, oneRoute } from "../support/one-route";

const PIECE = Buffer.alloc(256 * 1024, "x");
/** Far more than the system keeps for a connection. */
const PIECES = 1_000;

/** The site with one file, and how much of that was made. */
async function siteWithAFile() {
  let made = 0;
  const left: unknown[] = [];
  const file = () =>
    new ReadableStream({
      async pull(controller) {
        await setImmediate();
        if (made === PIECES) return controller.close();
        made += 1;
        controller.enqueue(PIECE);
      },
      cancel: (reason) => void left.push(reason),
    });
  const build = oneRoute("file", { loader: () => new Response(file()) });
  const inFlight = createInFlight();
  const site = createSite({ core: {} as Core, env: envOfNoDatabase(), build, inFlight }, {} as McpConfig);
  const server = createServer((req, res) => site(req, res, { requestId: "the-id", address: "192.0.2.1" }));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, method = "GET") => {
    const [answer] = await once(get({ port, host: "127.0.0.1", path, method }), "response");
    return answer as IncomingMessage;
  };
  return { ask, inFlight, made: () => made, left };
}

/** Its only reader takes a first piece and no more. */
async function begunDownload() {
  const { ask, ...site } = await siteWithAFile();
  const answer = await ask("/file");
  let taken = 0;
  answer.on("data", (chunk) => {
    taken += chunk.length;
  });
  await once(answer, "data");
  answer.pause();
  // As many turns as all of it would take.
  for (let turn = 0; turn < 3 * PIECES; turn++) await setImmediate();
  return { ...site, answer, taken: () => taken };
}

it("a download of which nobody takes more is made no further, counts as no work, and goes on when it is taken", async () => {
  const { answer, inFlight, made, taken, left } = await begunDownload();
  expect(made()).toBeLessThan(PIECES);
  await expect.poll(() => inFlight.count).toBe(0);
  const ended = once(answer, "end");
  answer.resume();
  await ended;
  expect(taken()).toBe(PIECES * PIECE.length);
  expect(left).toEqual([]);
  await inFlight.settled();
});

it("a download whose reader went away is made no further, and a stop does not wait for it", async () => {
  const { answer, inFlight, made, left } = await begunDownload();
  answer.destroy();
  await inFlight.settled();
  expect(left).toEqual([undefined]);
  expect(made()).toBeLessThan(PIECES);
});

it.each([
  ["/file", "HEAD", 200],
  // As a page's script asks for data, which Remix would read whole.
  ["/file.data", "GET", 404],
])("a download at %s by %s is made for nobody", async (path, method, status) => {
  const { ask, made, left } = await siteWithAFile();
  const answer = await ask(path, method);
  expect(answer.statusCode).toBe(status);
  answer.resume();
  await once(answer, "end");
  expect(left).toEqual([undefined]);
  expect(made()).toBeLessThan(5);
});
