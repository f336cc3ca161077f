// What a server that stops knows of the answers that it still makes.
import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Core } from "../../server/context";
import { createInFlight } from "../../server/in-flight";
import type { McpConfig } from "../../server/mcp/handle";
import { serveNode } from "../../server/mcp/node-adapter";
import type { Arrival } from "../../server/mcp/serve";

/** An answer in the making, to a request that has come whole or not. */
function begin(inFlight: ReturnType<typeof createInFlight>, complete = true) {
  const req = Object.assign(new IncomingMessage(new Socket()), { complete, httpVersionMajor: 1, httpVersionMinor: 1 });
  const res = new ServerResponse(req);
  let settle = (_error?: Error) => {};
  const work = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve());
  });
  const tracked = inFlight.track(res, work).catch(() => {});
  const end = (error?: Error) => {
    settle(error);
    return tracked;
  };
  return { res, end };
}

describe("answers under way", () => {
  it("are those that have not ended, in whatever order they end, well or not", async () => {
    const inFlight = createInFlight();
    const all = Array.from({ length: 5 }, () => begin(inFlight));
    begin(inFlight, false);
    expect(inFlight.count).toBe(5);
    await all[0]!.end();
    await all[4]!.end(new Error("gone"));
    await all[1]!.end();
    await all[3]!.end();
    expect(inFlight.count).toBe(1);
    inFlight.leave();
    expect(inFlight.isLeaving).toBe(true);
    expect(all.map(({ res }) => res.shouldKeepAlive)).toEqual([true, true, false, true, true]);
  });

  it("are waited for, and so is what begins meanwhile", async () => {
    const inFlight = createInFlight();
    const [one, other] = [begin(inFlight), begin(inFlight)];
    let isSettled = false;
    const settled = inFlight.settled().then(() => {
      isSettled = true;
    });
    const turn = () => new Promise(setImmediate);
    await other.end();
    const late = begin(inFlight);
    await one.end();
    await turn();
    expect(isSettled).toBe(false);
    await late.end();
    await settled;
  });

  it("count once their client has left, though its request never came whole: their work goes on", async () => {
    const inFlight = createInFlight();
    const server = createServer((_req, res) => void inFlight.track(res, new Promise(() => {}))).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
    await once(server, "request");
    expect(inFlight.count).toBe(0);
    socket.destroy();
    await expect.poll(() => inFlight.count).toBe(1);
    server.close();
  });

  it("end where their client leaves before its request has come whole", async () => {
    const inFlight = createInFlight();
    // None of these is looked at: there is no call yet.
    const [core, config, arrival] = [{} as Core, {} as McpConfig, {} as Arrival];
    const server = createServer((req, res) => {
      void inFlight.track(res, serveNode(core, config, req, res, [], arrival));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{");
    await once(server, "request");
    socket.destroy();
    await inFlight.settled();
    server.close();
  });
});
