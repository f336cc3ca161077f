// Clients that send slowly, or never read, to hold connections: cut off within 20 s, while everybody else is served.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { makeCaller, rpc } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { tsv } from "../support/feeds/load";
import { signIn } from "../support/roles";
import { testServer } from "../support/server";
import { type Exchanged, exchange } from "../support/wire";

const database = testDatabase();
const server = testServer(database);
/** What the service promises, and what a busy machine may take on top of it. */
const WITHIN_MS = 20_000;
const EACH = 25;

function* drops(head: string, drop: string) {
  yield head;
  for (;;) yield drop;
}

describe("slow clients", () => {
  it("are cut off within 20 s, told why, and harm nobody", async () => {
    const { key } = await makeCaller(database);
    const host = new URL(server.url).host;
    const head = (lines: string[]) => `${[...lines, `Host: ${host}`].join("\r\n")}\r\n`;
    const body = ["Content-Type: application/json", "Accept: application/json, text/event-stream"];
    const form = [`Origin: ${server.url}`, "Content-Type: application/x-www-form-urlencoded"];
    const file = [`Origin: ${server.url}`, "Content-Type: multipart/form-data; boundary=x"];
    const slow: Record<string, Iterable<string>> = {
      "nothing at all": [],
      "half a request line": ["POST /api/m"],
      "headers without end": drops(head(["GET /healthz HTTP/1.1"]), "X: a\r\n"),
      "a header byte by byte": drops(head(["GET /healthz HTTP/1.1"]), "x"),
      "a body byte by byte": drops(`${head(["POST /api/mcp HTTP/1.1", ...body, "Content-Length: 9000"])}\r\n`, " "),
      "a body in chunks": drops(
        `${head(["POST /api/mcp HTTP/1.1", ...body, "Transfer-Encoding: chunked"])}\r\n`,
        "1\r\n \r\n",
      ),
      "chunks that never end": drops(
        `${head(["POST /api/mcp/p/x HTTP/1.1", ...body, "Transfer-Encoding: chunked"])}\r\n`,
        "0",
      ),
      "a form": drops(`${head(["POST /login HTTP/1.1", ...form, "Content-Length: 9000"])}\r\n`, "a"),
      "a body of a refused form": drops(`${head(["POST /login HTTP/1.1", "Content-Length: 9000"])}\r\n`, "a"),
      "a catalogue of nobody": drops(
        `${head(["POST /merchant/catalogue/x HTTP/1.1", ...file, "Content-Length: 90000"])}\r\n`,
        "a",
      ),
    };
    const held = Object.entries(slow).flatMap(([what, pieces]) =>
      Array.from(
        { length: EACH },
        async (): Promise<[string, Exchanged]> => [
          what,
          await exchange(server.url, pieces, { everyMs: 1_000, patienceMs: WITHIN_MS + 4_000 }),
        ],
      ),
    );
    let going = true;
    const others = async () => {
      let served = 0;
      while (going) {
        expect((await rpc(server.url, key, "ping")).status).toBe(200);
        served++;
        await sleep(50);
      }
      return served;
    };
    const serving = others();
    for (const [what, { answers, closed, ms }] of await Promise.all(held)) {
      expect(closed, what).toBe(true);
      expect(ms, what).toBeLessThan(WITHIN_MS + 1_000);
      expect(
        answers.map(({ status }) => status),
        what,
      ).toHaveLength(1);
      expect(answers[0]!.headers["x-request-id"], what).toMatch(/^[0-9a-f-]{36}$/);
    }
    going = false;
    expect(await serving).toBeGreaterThan(50);
  });

  it("with a catalogue are cut off where it stands still, and not while more of it comes", async () => {
    const host = new URL(server.url).host;
    /** A catalogue of that many rows of some 300 bytes each, posted by its merchant: first what comes before the rows. */
    async function posted(count: number) {
      const store = await makeStore(database);
      const { accountId } = await makeMerchant(database, store.merchantId);
      const cookie = await signIn(database, { id: accountId });
      const rows = tsv(
        Array.from({ length: count }, (_, i) => ({ id: `${i}`, condition: "new", description: "x".repeat(200) })),
      );
      const before = `--x\r\nContent-Disposition: form-data; name="file"; filename="feed.tsv"\r\n\r\n`;
      const body = `${before}${rows}\r\n--x--\r\n`;
      const lines = [
        `POST /merchant/catalogue/${store.id} HTTP/1.1`,
        ...[`Host: ${host}`, `Origin: ${server.url}`, `Cookie: ${cookie}`, "Connection: close"],
        ...["Content-Type: multipart/form-data; boundary=x", `Content-Length: ${body.length}`],
      ];
      return { store, body, head: `${lines.join("\r\n")}\r\n\r\n` };
    }
    const [still, coming] = [await posted(3_000), await posted(2_400)];
    const eachSecond = Math.max(30_000, Math.ceil(coming.body.length / 22));
    const pieces = coming.body.match(new RegExp(`[^]{1,${eachSecond}}`, "g"))!;
    expect(pieces.length).toBeGreaterThanOrEqual(21);
    const slowly = { everyMs: 1_000, patienceMs: 60_000 };
    const [cutOff, taken] = await Promise.all([
      exchange(server.url, drops(still.head + still.body.slice(0, 200), "x"), slowly),
      exchange(server.url, [coming.head, ...pieces], slowly),
    ]);
    expect(cutOff.answers.map(({ status }) => status)).toEqual([408]);
    expect(taken.answers.map(({ status }) => status)).toEqual([302]);
    const loads = ({ store }: typeof still) => database.sql`select from feed_loads where store_id = ${store.id}`;
    expect([(await loads(still)).length, (await loads(coming)).length]).toEqual([0, 1]);
  });

  it("that never read cost the others nothing, however much they ask for", async () => {
    const { key } = await makeCaller(database);
    const { hostname, port, host } = new URL(server.url);
    const asks = `GET /login HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(50);
    const sockets: Socket[] = Array.from({ length: 20 }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => {});
      socket.pause();
      socket.write(asks);
      return socket;
    });
    for (let i = 0; i < 20; i++) {
      expect((await rpc(server.url, key, "ping")).status).toBe(200);
      await sleep(50);
    }
    for (const socket of sockets) socket.destroy();
  });
});
