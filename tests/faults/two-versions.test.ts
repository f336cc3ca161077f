// While instances are replaced, two versions serve beside each other, each with styles and scripts of its own.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { startProxy } from "../support/proxy";

/** Has one asset, and no other, as a build does. @returns its port */
async function instanceWith(asset: string): Promise<number> {
  const server = createServer((req, res) => res.writeHead(req.url === asset ? 200 : 404).end());
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

it("behind nginx a page of either version gets its styles and scripts", async () => {
  const versions = ["/assets/root-before.css", "/assets/root-after.css"];
  const proxy = await startProxy(await Promise.all(versions.map(instanceWith)));
  onTestFinished(proxy.stop);
  for (const asset of versions) {
    // Once from each instance, as nginx goes round.
    const statuses = [await fetch(proxy.url + asset), await fetch(proxy.url + asset)].map(({ status }) => status);
    expect(statuses, asset).toEqual([200, 200]);
  }
  expect((await fetch(`${proxy.url}/assets/root-never.css`)).status).toBe(404);
});
