// How long an upload may take, by no clock that may be set.
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import type { Core } from "../../server/context";
import { createHttpServer } from "../../server/http";
import { createInFlight } from "../../server/in-flight";
import { envOfNoDatabase, oneRoute } from "../support/one-route";

afterEach(() => vi.useRealTimers());

const HOUR_MS = 3_600_000;
/** Between two looks at how much of a body has come. */
const LOOK_MS = 18_000;
/** So much must come from one look to the next. */
const ENOUGH = 20_000;

/** One page, which takes a file. */
const pages = oneRoute(
  "merchant/catalogue/:store",
  { default: () => null, action: ({ request }) => request.arrayBuffer().then(() => null) },
  () => new Response("all of it came"),
);

interface Upload {
  /** Sends so many bytes more, and waits until they have come. */
  send(bytes: number): Promise<void>;
  leave(): void;
  /** All that is answered, once the connection is over. */
  answer(): Promise<string>;
}

/** A catalogue of that many bytes whose head has come, and is watched. */
async function uploading(bytes: number): Promise<Upload> {
  const people = () => Promise.resolve([]);
  const server = createHttpServer({
    core: { log: { info() {}, error() {} }, people } as unknown as Core,
    env: envOfNoDatabase(),
    build: pages,
    inFlight: createInFlight(),
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  const [ours] = (await once(server, "connection")) as [Socket];
  const host = `localhost:${port}`;
  const head = [
    ...["POST /merchant/catalogue/one HTTP/1.1", `Host: ${host}`, `Origin: http://${host}`, "Connection: close"],
    ...["Content-Type: multipart/form-data; boundary=b", `Content-Length: ${bytes}`, "", ""],
  ].join("\r\n");
  const watched = vi.getTimerCount();
  client.write(head);
  await expect.poll(() => vi.getTimerCount()).toBe(watched + 1);
  let sent = head.length;
  return {
    async send(bytes) {
      client.write("x".repeat(bytes));
      sent += bytes;
      await expect.poll(() => ours.bytesRead, { interval: 1 }).toBe(sent);
    },
    leave: () => void client.destroy(),
    async answer() {
      let text = "";
      for await (const chunk of client) text += chunk;
      return text;
    },
  };
}

it("a catalogue that comes on is taken to its end, though the machine's clock is set ahead by an hour meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  const { send, answer } = await uploading(2 * ENOUGH);
  await send(ENOUGH);
  vi.setSystemTime(Date.now() + HOUR_MS);
  vi.advanceTimersByTime(LOOK_MS);
  await send(ENOUGH);
  expect(await answer()).toMatch(/^HTTP\/1\.1 200 .*all of it came/s);
});

it("a catalogue that comes on is cut off after half an hour", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  const { send, answer } = await uploading(200 * ENOUGH);
  for (let passed = LOOK_MS; passed <= HOUR_MS / 2; passed += LOOK_MS) {
    await send(ENOUGH);
    vi.advanceTimersByTime(LOOK_MS);
  }
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 /);
});

it("a catalogue whose sender leaves, or that has come, is watched no more", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const [left, whole] = [await uploading(ENOUGH), await uploading(ENOUGH)];
  left.leave();
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  await whole.send(ENOUGH);
  expect(await whole.answer()).toMatch(/^HTTP\/1\.1 200 /);
  await expect.poll(() => vi.getTimerCount()).toBe(0);
});
