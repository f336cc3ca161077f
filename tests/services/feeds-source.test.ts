// Feeds by address: fetched from a real server on this machine, which only tests may do; and everything that must not be
// fetched, because it is none of the internet's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { gzipSync } from "node:zlib";
import { sql as raw } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Core } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import { isPublic } from "../../server/services/feeds/addresses";
import { fetchFeed, internet, type Reach } from "../../server/services/feeds/fetch";
import { readBack } from "../../server/services/feeds/files";
import { load } from "../../server/services/feeds/index";
import { READ_VERSION } from "../../server/services/feeds/read";
import * as source from "../../server/services/feeds/source";
import { failed } from "../../server/services/feeds/source-state";
import { remove } from "../../server/services/merchant-people";
import { testDatabase, untilWaiting } from "../support/database";
import { makeShop } from "../support/feeds/jobs";
import { stored, tsv } from "../support/feeds/load";
import { PASSWORD, people } from "../support/people";
import { selfSigned, unchained } from "../support/self-signed";

const database = testDatabase();
const { makePerson } = people(database);
type Person = Awaited<ReturnType<typeof makePerson>>;
/** Long enough for any machine; a test about an end of patience shortens the one that it is about. */
const waits = { answerMs: 20_000, silenceMs: 20_000, stretchMs: 20_000, totalMs: 20_000 };
/** This machine counts as the internet. */
const here: Reach = { ...internet, allows: (address) => address === "127.0.0.1", waits };
/** What ends does so by something else. */
const patient = { ...here, waits: { answerMs: 600_000, silenceMs: 600_000, stretchMs: 600_000, totalMs: 600_000 } };

/** A server for feeds: what it answers, and what it was asked. */
let listener: RequestListener = (_req, res) => res.end();
const asked: IncomingMessage[] = [];
let server: Server;
let base = "";
beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push(req);
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const answer = (with_: RequestListener) => {
  listener = with_;
  asked.length = 0;
};
const text =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: unknown, res: ServerResponse) =>
    res.writeHead(200, headers).end(body);

/** Sends so many bytes, again and again. */
const drip =
  (bytes: number, times = Number.POSITIVE_INFINITY): RequestListener =>
  (_, res) => {
    let sent = 0;
    const timer = setInterval(() => (++sent > times ? res.end() : res.write("x".repeat(bytes))), 50);
    res.on("close", () => clearInterval(timer));
  };

/** An answer with a header as it is, byte by byte: Node's server writes none that is not ASCII. */
const disposed = (named: string) =>
  `HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-disposition: attachment; filename=${named}\r\n\r\n`;

const fresh = { etag: null, lastModified: null };
/** As a server does that goes on. */
const get = async (url: string, reach = here) => {
  const fetched = await fetchFeed(url, fresh, reach, new AbortController().signal);
  if (!fetched.isChanged) throw new Error("unchanged");
  const chunks: Uint8Array[] = [];
  for await (const chunk of fetched.content) chunks.push(chunk);
  return { ...fetched, body: Buffer.concat(chunks).toString() };
};
const why = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => Promise.reject(new Error("It was fetched.")),
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("addresses", () => {
  it.each([
    ...[
      "127.0.0.1",
      "127.8.8.8",
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "169.254.169.254",
      "168.63.129.16",
      "::ffff:168.63.129.16",
      "100.64.0.1",
    ],
    ...["0.0.0.0", "255.255.255.255", "224.0.0.1", "192.0.2.1", "198.18.0.1", "240.0.0.1", "192.0.0.170"],
    ...["::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1"],
    ...[
      "64:ff9b::7f00:1",
      "2002:7f00:1::1",
      "2001:db8::1",
      "2001::1",
      "100::1",
      "fec0::1",
      "1000::1",
      "4000::1",
      "not-an-address",
      "",
    ],
  ])("%s is not the internet's", (address) => expect(isPublic(address)).toBe(false));

  it.each(["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%s is",
    (address) => expect(isPublic(address)).toBe(true),
  );
});

describe("nothing is fetched", () => {
  it.each([
    ...["http://127.0.0.1/feed", "http://[::1]/feed", "http://169.254.169.254/latest/meta-data", "http://2130706433/x"],
    ...["http://0177.0.0.1/x", "http://127.1/x", "http://[::]/x", "http://[fd00::1]/x", "http://[::ffff:a9fe:a9fe]/x"],
    ...["http://0x7f.1/x", "http://[::ffff:127.0.0.1]/x", "http://10.1.2.3:8080/x", "http://0/x", "http://localhost/x"],
    ...["http://LOCALHOST/x", "http://localhost./x", "http://shop.localhost/x", "http://127.0.0.1./x"],
  ])("from %s", async (url) =>
    expect(await why(fetchFeed(url, fresh, internet))).toContain("not an address on the public internet"),
  );

  it.each(["file:///etc/passwd", "ftp://1.1.1.1/x", "gopher://x", "data:text/plain,x", "javascript:alert(1)"])(
    "from %s",
    async (url) => expect(await why(fetchFeed(url, fresh, internet))).toContain("other than http"),
  );

  it.each([
    ...["http://1.1.1.1:25/x", "https://1.1.1.1:22/x", "http://1.1.1.1:443/x", "https://1.1.1.1:80/x"],
    "http://1.1.1.1:1023/x",
  ])("from a port of other services: %s", async (url) =>
    expect(await why(fetchFeed(url, fresh, internet))).toContain("is not allowed"),
  );

  it("but from 1024 on a port is any service's", async () => {
    expect(await why(fetchFeed("http://127.0.0.1:1024/x", fresh, internet))).toContain("not an address on the public");
  });

  it.each(["http://user@1.1.1.1/x", "http://user:secret@1.1.1.1/x", "http://:secret@1.1.1.1/x"])(
    "with a name or a password: %s",
    async (url) => expect(await why(fetchFeed(url, fresh, internet))).toContain("has a password in it"),
  );

  it("after a redirect to such a port, or to something other than http", async () => {
    for (const location of ["http://1.1.1.1:25/", "file:///etc/passwd", "javascript:alert(1)"]) {
      answer((_, res) => res.writeHead(302, { location }).end());
      expect(await why(fetchFeed(`${base}/a`, fresh, here))).toMatch(/is not allowed|other than http/);
    }
  });

  it("from a name of which any address is private", async () => {
    const resolve = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "10.0.0.7", family: 4 },
    ];
    expect(await why(fetchFeed("http://shop.example/feed", fresh, { ...internet, resolve }))).toContain(
      "shop.example is not",
    );
  });

  it("from a name that has no address", async () => {
    const resolve: Reach["resolve"] = async () => [];
    expect(await why(fetchFeed("http://shop.example/feed", fresh, { ...internet, resolve }))).toContain(
      "shop.example is not",
    );
  });

  it("after a redirect to a private address, by number or by name", async () => {
    answer((req, res) =>
      res.writeHead(302, { location: req.url === "/a" ? "http://192.168.0.1/" : "http://inside.example/" }).end(),
    );
    const resolve: Reach["resolve"] = async () => [{ address: "192.168.0.1", family: 4 }];
    for (const path of ["/a", "/b"]) {
      expect(await why(fetchFeed(`${base}${path}`, fresh, { ...here, resolve }))).toContain(
        "not an address on the public internet",
      );
    }
    expect(asked).toHaveLength(2);
  });

  it("by a name that changes between the check and the connection: the checked address is the one connected to", async () => {
    answer(text("ok"));
    let looked = 0;
    const resolve: Reach["resolve"] = async () => [{ address: looked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }];
    const { port } = new URL(base);
    expect((await get(`http://feed.example:${port}/f.tsv`, { ...here, resolve })).body).toBe("ok");
    expect([looked, asked[0]!.headers.host]).toEqual([1, `feed.example:${port}`]);
    // Kept for nobody's next request, whose name may have another address by then.
    expect(asked[0]!.headers.connection).toBe("close");
  });

  it("from an address that refuses while the name has another", async () => {
    answer(text("ok"));
    const resolve: Reach["resolve"] = async () =>
      ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 as const }));
    const reach = { ...here, resolve, allows: (address: string) => address.startsWith("127.0.0.") };
    expect((await get(`http://feed.example:${new URL(base).port}/`, reach)).body).toBe("ok");
  });

  it("but from an address that takes a second to connect to, though the name has another, it is", async () => {
    const code = `require("node:http").createServer((_, res) => res.end("ok"))
      .listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () { process.send(this.address().port) })`;
    const shop = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    onTestFinished(() => void shop.kill("SIGKILL"));
    const [port] = (await once(shop, "message")) as [number];
    shop.kill("SIGSTOP");
    // Whoever comes when two wait is to try again, which takes a second.
    const before = Array.from({ length: 2 }, () => connect(port, "127.0.0.1"));
    onTestFinished(() => {
      for (const socket of before) socket.destroy();
    });
    await Promise.all(before.map((socket) => once(socket, "connect")));
    const resolve: Reach["resolve"] = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ];
    const feed = get(`http://feed.example:${port}/`, { ...here, resolve, allows: () => true });
    setTimeout(() => shop.kill("SIGCONT"), 500);
    expect((await feed).body).toBe("ok");
  });

  it("beyond where it moved to, however the server says so; its name has 255 characters at most", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      answer((req, res) =>
        req.url === "/a" ? res.writeHead(status, { location: `/${"x".repeat(300)}` }).end() : res.end("there"),
      );
      const { body, fileName } = await get(`${base}/a`);
      expect([body, fileName], `${status}`).toEqual(["there", "x".repeat(255)]);
    }
  });

  it("but beyond where it moved to, also where that stands in UTF-8 as it is", async () => {
    answer((req, res) => {
      if (req.url !== "/a") return res.end(req.url);
      req.socket.end(Buffer.from("HTTP/1.1 302 Found\r\nlocation: /fotos/é.tsv\r\ncontent-length: 0\r\n\r\n"));
    });
    expect((await get(`${base}/a`)).body).toBe("/fotos/%C3%A9.tsv");
  });

  it("under another name than the server's for it, else than where it is", async () => {
    for (const [named, fileName] of [
      ['"Feed of today.tsv"', "Feed of today.tsv"],
      ["feed.tsv; size=1", "feed.tsv"],
      ['"a;b.tsv"', "a;b.tsv"],
      ["plain.tsv; filename*=UTF-8''%e2%82%ac%20%C3%BC.tsv", "€ ü.tsv"],
      ["plain.tsv; filename*=UTF-8''%ff.tsv", "%ff.tsv"],
      ["plain.tsv; filename*=iso-8859-1''%fc.tsv", "plain.tsv"],
      [`"${Buffer.from("Überblick.tsv").toString("latin1")}"`, "Überblick.tsv"],
      ['"\u00dcberblick.tsv"', "Überblick.tsv"],
      ["x.tsv; filename*=UTF-8''a%00%0Ab.tsv", "a b.tsv"],
      ['""', "export.php"],
    ] as const) {
      answer(({ socket }) => void socket.end(Buffer.from(disposed(named), "latin1")));
      expect((await get(`${base}/export.php`)).fileName).toBe(fileName);
    }
    answer(text(""));
    expect((await get(`${base}/a/b.tsv?x=1`)).fileName).toBe("b.tsv");
    expect((await get(`${base}/a/%C3%BC%20b.tsv`)).fileName).toBe("ü b.tsv");
    expect((await get(`${base}/a/100%.tsv`)).fileName).toBe("100%.tsv");
    expect((await get(`${base}/a/`)).fileName).toBe("127.0.0.1");
  });

  it("beyond five redirects", async () => {
    answer((req, res) => {
      const n = Number(req.url!.slice(1));
      if (n === 0) res.end("there");
      else res.writeHead(301, { location: `/${n - 1}` }).end();
    });
    expect((await get(`${base}/5`)).body).toBe("there");
    expect(await why(get(`${base}/6`))).toContain("more than 5 times");
  });

  it.each<[string, RequestListener, RegExp, Partial<typeof waits>?]>([
    ["that answers with an error", (_, res) => res.writeHead(503).end(), /answered 503/],
    [
      "that wants a password",
      (_, res) => res.writeHead(401, { "www-authenticate": "Basic" }).end(),
      /: The server answered 401 Unauthorized\. It wants a log-in, which is not supported: let it send the file without\.$/,
    ],
    [
      "that is closed to us",
      (_, res) => res.writeHead(403).end(),
      /: The server answered 403 Forbidden\. Let it send the file to whoever asks\.$/,
    ],
    ["that sends a part of it", (_, res) => res.writeHead(206).end("id"), /answered 206/],
    ["that redirects nowhere", (_, res) => res.writeHead(302).end(), /answered 302/],
    [
      "that switches protocols",
      ({ socket }) => void socket.write("HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
      /closed the connection/,
    ],
    ["that never answers", () => {}, /did not answer in time/, { answerMs: 400 }],
    [
      "that stops in the middle",
      (_, res) => void res.writeHead(200).write("id\t"),
      /stopped in the middle/,
      { silenceMs: 400 },
    ],
    [
      "that breaks off",
      (_, res) => void res.writeHead(200, { "content-length": 9 }).write("id", () => res.destroy()),
      /closed the connection/,
    ],
    ["that sends brotli unasked", text("x", { "content-encoding": "gzip, br, gzip" }), /as gzip, br, gzip/],
    ["that drips without end", drip(1), /took too long/, { totalMs: 600, stretchMs: 600_000 }],
    ["that sends a byte now and then", drip(1), /too slowly/, { stretchMs: 200 }],
  ])("from a server %s", async (_, listener, reason, short) => {
    answer(listener);
    expect(await why(get(`${base}/`, { ...here, waits: { ...waits, ...short } }))).toMatch(reason);
  });

  it("but from a server that is slow and sends enough, all of it is", async () => {
    answer(drip(50_000, 20));
    const { body } = await get(`${base}/`, { ...here, waits: { ...waits, stretchMs: 200 } });
    expect(body).toHaveLength(1_000_000);
  });

  it("but from a server that answered in time, all of it is, however long after", async () => {
    let end = () => {};
    answer((_, res) => {
      res.write("id\t");
      end = () => res.end("title");
    });
    const fetched = await fetchFeed(`${base}/`, fresh, { ...here, waits: { ...waits, answerMs: 4_000 } });
    setTimeout(end, 4_500);
    let body = "";
    for await (const chunk of fetched.isChanged ? fetched.content : []) body += Buffer.from(chunk).toString();
    expect(body).toBe("id\ttitle");
  });

  it("but from a server that begins slowly, and for a reader who is slow, all of it is", async () => {
    const patience = { ...here, waits: { ...waits, stretchMs: 100 } };
    answer((_, res) => {
      res.writeHead(200).write("x");
      setTimeout(() => res.write("x", () => setTimeout(() => res.end("x".repeat(100_000)), 50)), 200);
    });
    expect((await get(`${base}/`, patience)).body).toHaveLength(100_002);
    answer(drip(1, 12));
    const fetched = await fetchFeed(`${base}/`, fresh, patience);
    let bytes = 0;
    for await (const chunk of fetched.isChanged ? fetched.content : []) {
      bytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(bytes).toBe(12);
  });

  it("but for a reader who stalls for longer than the server may be silent, all of it is", async () => {
    const size = 30_000_000;
    answer(text(Buffer.alloc(size, "x")));
    const fetched = await fetchFeed(`${base}/`, fresh, { ...here, waits: { ...waits, silenceMs: 300 } });
    let bytes = 0;
    for await (const chunk of fetched.isChanged ? fetched.content : []) {
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 1_000));
      bytes += chunk.length;
    }
    expect(bytes).toBe(size);
  });

  it("in vain: nothing stays open to a server that sends on, or whose file nobody reads to its end", async () => {
    answer((req, res) => {
      if (req.url === "/a") return void res.writeHead(302, { location: "/b" }).write("never read");
      if (req.url === "/refused") return void res.writeHead(500).write("never read");
      if (req.url === "/same") return void req.socket.write("HTTP/1.1 304 Not Modified\r\n\r\n");
      drip(9)(req, res);
    });
    const fetched = await fetchFeed(`${base}/a`, fresh, patient);
    for await (const _ of fetched.isChanged ? fetched.content : []) break;
    expect(await why(fetchFeed(`${base}/refused`, fresh, patient))).toContain("500");
    expect(await fetchFeed(`${base}/same`, fresh, patient)).toEqual({ isChanged: false });
    expect(asked).toHaveLength(4);
    const areClosed = () => asked.map(({ socket, url }) => socket.destroyed || url);
    await expect.poll(areClosed).toEqual([true, true, true, true]);
  });

  it.each([selfSigned, unchained])("from a server whose certificate nobody trusts", async (certificate) => {
    const secure = createSecureServer(certificate, (_req, res) => res.end("ok")).listen(0, "127.0.0.1");
    await new Promise((resolve) => secure.once("listening", resolve));
    const { port } = secure.address() as AddressInfo;
    expect(await why(get(`https://127.0.0.1:${port}/`))).toContain("certificate is not trusted");
    secure.close();
  });

  it("over https from a server that has none", async () => {
    answer(text("ok"));
    expect(await why(get(base.replace("http:", "https:")))).toContain("Check whether its address begins with http");
  });

  it("from a server that refuses connections, or has no name", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => closed.once("listening", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await why(get(`http://127.0.0.1:${port}/`))).toContain("refused the connection");
    const resolve = () => Promise.reject(new Error("ENOTFOUND"));
    expect(await why(get("http://nowhere.example/", { ...here, resolve }))).toContain("nowhere.example was not found");
  });
});

describe("a store's feed by its address", () => {
  const core = (): Core => database.as({ kind: "system" });
  const due = (storeId: string) =>
    database.sql`update feed_sources set next_fetch_at = now() - interval '1 minute' where store_id = ${storeId}`;

  async function makeFed() {
    const shop = await makeShop(database);
    const { storeId } = shop;
    const ref = { storeId };
    return {
      ...shop,
      set: (url = `${base}/feed.tsv`) => source.set(shop.ctx(), { storeId, url }),
      remove: () => source.remove(shop.ctx(), ref),
      fetchNow: () => source.fetchNow(shop.ctx(), ref),
      find: () => source.find(shop.ctx(), ref),
      due: () => due(storeId),
      /** Fetches what is due, and loads it. */
      async work() {
        await source.fetchDue(core(), here);
        await shop.run();
      },
      ids: async () => (await stored(database, storeId)).products.filter((p) => !p.vanished).map((p) => p.product_id),
    };
  }

  it("is fetched at once and then daily, and loaded under the name it has there", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }]), { etag: '"a"' }));
    expect(await shop.find()).toBeNull();
    await shop.set();
    expect(await shop.find()).toMatchObject({ url: `${base}/feed.tsv`, isFetching: true, isOff: false });
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
    expect((await shop.get()).current).toMatchObject({ source: "url", fileName: "feed.tsv", requestedBy: null });
    const found = await shop.find();
    expect(found).toMatchObject({ isFetching: false, lastOutcome: "fetched", lastError: null, failures: 0 });
    expect(Math.abs(found!.nextFetchAt!.getTime() - Date.now() - 86_400_000)).toBeLessThan(60_000);
    await shop.work();
    expect(asked).toHaveLength(1);
  });

  it("is not loaded again while it has not changed: by its tag, its date, or its bytes", async () => {
    const shop = await makeFed();
    const modified = "Mon, 01 Jun 2026 00:00:00 GMT";
    answer(text(tsv([{ id: "1" }]), { etag: '"a"', "last-modified": modified }));
    await shop.set();
    await shop.work();
    answer((req, res) => {
      expect([req.headers["if-none-match"], req.headers["if-modified-since"]]).toEqual(['"a"', modified]);
      res.writeHead(304).end();
    });
    await shop.due();
    await shop.work();
    expect(asked).toHaveLength(1);
    expect((await shop.find())!.lastOutcome).toBe("unchanged");
    answer(text(tsv([{ id: "1" }]), { etag: '"b"' }));
    await shop.due();
    await shop.work();
    expect((await shop.find())!.lastOutcome).toBe("unchanged");
    expect(await database.sql`select from feed_loads where store_id = ${shop.storeId}`).toHaveLength(1);
    expect(await database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(1);
    answer(text(tsv([{ id: "2" }])));
    await shop.due();
    await shop.work();
    expect(await shop.ids()).toEqual(["2"]);
  });

  describe("after a release that reads files otherwise", () => {
    /** Answers only who has not got it. */
    const once =
      (body: string, etag: string): RequestListener =>
      (req, res) =>
        req.headers["if-none-match"] === etag ? res.writeHead(304).end() : text(body, { etag })(req, res);

    async function makeLoaded() {
      const shop = await makeFed();
      const { storeId } = shop;
      await shop.load(tsv([{ id: "before" }]));
      answer(once(tsv([{ id: "1" }]), '"a"'));
      await shop.set();
      await shop.work();
      return {
        ...shop,
        loads: () => database.sql`select from feed_loads where store_id = ${storeId} and source = 'url'`,
        /** Whatever was loaded so far was so by that release. */
        readBy: (version: number | null) =>
          database.sql`update feed_loads set read_version = ${version} where store_id = ${storeId}`,
        async again() {
          await shop.due();
          await shop.work();
        },
      };
    }

    it.each([null, READ_VERSION - 1])(
      "it is loaded once more, and once only, though it has not changed: %s",
      async (version) => {
        const shop = await makeLoaded();
        await shop.readBy(version);
        await shop.again();
        expect(await shop.loads()).toHaveLength(2);
        expect(await shop.find()).toMatchObject({ lastOutcome: "fetched", failures: 0 });
        // What was sent by hand, and what both loads are of.
        expect(await database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(2);
        await shop.again();
        expect(await shop.loads()).toHaveLength(2);
        expect(await shop.find()).toMatchObject({ lastOutcome: "unchanged" });
      },
    );

    it("it is loaded once more where an instance of the one before, beside, has loaded a file since", async () => {
      const shop = await makeLoaded();
      answer(once(tsv([{ id: "2" }]), '"b"'));
      await shop.again();
      const { id } = (await shop.get()).current!;
      await database.sql`update feed_loads set read_version = null where id = ${id}`;
      await shop.again();
      await shop.again();
      expect(await shop.loads()).toHaveLength(3);
      await shop.readBy(READ_VERSION + 1);
      await shop.again();
      expect(await shop.loads()).toHaveLength(3);
    });

    it("a file of before that is refused now counts as failing, and is asked for as any that is refused", async () => {
      const shop = await makeFed();
      const { storeId } = shop;
      answer(once("<html>Not here</html>", '"x"'));
      await shop.set();
      await shop.work();
      await database.sql`update feed_loads set outcome = 'loaded', refusal = null, read_version = null where store_id = ${storeId}`;
      await database.sql`update feed_sources set etag = '"x"', digest = (select digest from feed_files where store_id = ${storeId}),
        failures = 0, last_error = null, last_outcome = 'fetched' where store_id = ${storeId}`;
      for (const failures of [1, 2]) {
        await shop.due();
        await shop.work();
        expect(await shop.find()).toMatchObject({ failures, lastOutcome: "failed" });
      }
    });

    it("what its merchant went back to, or sent by hand instead, stays", async () => {
      const shop = await makeLoaded();
      const stays = async (id: string) => {
        expect(await shop.ids()).toEqual([id]);
        await shop.readBy(null);
        await shop.again();
        expect(asked.at(-1)!.headers["if-none-match"]).toBe('"a"');
        expect(await shop.find()).toMatchObject({ lastOutcome: "unchanged" });
        // Nor where its server knows no tags.
        answer(text(tsv([{ id: "1" }])));
        await shop.again();
        expect(await shop.find()).toMatchObject({ lastOutcome: "unchanged" });
        expect(await shop.ids()).toEqual([id]);
        answer(once(tsv([{ id: "1" }]), '"a"'));
      };
      await shop.restore((await shop.get()).undo!.loadId);
      await stays("before");
      await shop.load(tsv([{ id: "hand" }]));
      await stays("hand");
    });

    it("what its merchant goes back to while it comes in once more stays", async () => {
      const shop = await makeLoaded();
      await shop.readBy(null);
      const { undo } = await shop.get();
      answer((_, res) => void shop.restore(undo!.loadId).then(() => res.end(tsv([{ id: "1" }]))));
      await shop.again();
      expect(await shop.ids()).toEqual(["before"]);
      expect(await shop.find()).toMatchObject({ lastOutcome: "unchanged", failures: 0 });
      expect(await shop.loads()).toHaveLength(1);
    });

    it("what it brought once more may be undone, and stays so", async () => {
      const shop = await makeLoaded();
      const { undo } = await shop.get();
      await shop.readBy(null);
      await shop.again();
      await shop.restore(undo!.loadId);
      await shop.again();
      expect(await shop.ids()).toEqual(["before"]);
    });
  });

  it("is fetched whole when somebody asks for it, so that an undone load can be done again", async () => {
    const shop = await makeFed();
    await shop.load(tsv([{ id: "before" }]));
    answer(text(tsv([{ id: "1" }]), { etag: '"a"' }));
    await shop.set();
    await shop.work();
    await shop.restore((await shop.get()).undo!.loadId);
    expect(await shop.ids()).toEqual(["before"]);
    await shop.fetchNow();
    await shop.work();
    expect(asked.at(-1)!.headers["if-none-match"]).toBeUndefined();
    expect(await shop.ids()).toEqual(["1"]);
  });

  it("is asked for by name, and may come gzipped, by its name or by its encoding", async () => {
    const shop = await makeFed();
    const ways: Record<string, string>[] = ["gzip", "x-gzip", "GZIP", "identity"].map((coding) => ({
      "content-encoding": coding,
    }));
    for (const [i, headers] of [{}, ...ways].entries()) {
      answer(text(gzipSync(tsv([{ id: String(i) }])), headers));
      await shop.set();
      await shop.work();
      expect(await shop.ids()).toEqual([String(i)]);
      const asks = { "user-agent": expect.stringMatching(/^Aisle-Feed-Fetcher\//), "accept-encoding": "gzip" };
      expect(asked[0]!.headers).toMatchObject(asks);
    }
  });

  it("is loaded whole where somebody asks for it while it is asked whether it has changed", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }]), { etag: '"a"' }));
    await shop.set();
    await shop.work();
    const conditions: (string | undefined)[] = [];
    answer((req, res) => {
      conditions.push(req.headers["if-none-match"]);
      if (conditions.length > 1) return void text(tsv([{ id: "2" }]))(req, res);
      void shop.fetchNow().then(() => res.writeHead(304).end());
    });
    await shop.due();
    await shop.work();
    await shop.work();
    expect(conditions).toEqual(['"a"', undefined]);
    expect(await shop.ids()).toEqual(["2"]);
    expect(await shop.find()).toMatchObject({ isFetching: false, lastOutcome: "fetched" });
  });

  it("waits while a load of the store is under way, and counts no failure", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }])));
    await shop.upload(tsv([{ id: "up" }]));
    await expect(shop.fetchNow()).rejects.toMatchObject({ code: "conflict" });
    await shop.set();
    await source.fetchDue(core(), here);
    const { nextFetchAt, ...found } = (await shop.find())!;
    expect(found).toMatchObject({ failures: 0, lastError: null });
    // Nor is the shop asked again and again meanwhile.
    expect(asked).toHaveLength(1);
    expect(Math.abs(nextFetchAt!.getTime() - Date.now() - 5 * 60_000)).toBeLessThan(60_000);
    await shop.run();
    await shop.due();
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
  });

  it("is not held open where another file comes in meanwhile, and waits for that one", async () => {
    const shop = await makeFed();
    const coming = new PassThrough();
    coming.write("id\ttitle");
    const uploading = shop.upload(coming);
    await expect.poll(() => database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(1);
    answer((_, res) => void res.write("never read"));
    await shop.set();
    await source.fetchDue(core(), patient);
    await expect.poll(() => asked[0]!.socket.destroyed).toBe(true);
    expect(await shop.find()).toMatchObject({ failures: 0, lastError: null });
    coming.destroy(new Error("gone"));
    await expect(uploading).rejects.toMatchObject({ code: "invalid_input" });
    await shop.remove();
  });

  it("is let go where the server stops while it comes, counts no failure, and is due again", async () => {
    const shop = await makeFed();
    const stopping = new AbortController();
    answer((_, res) => void res.writeHead(200).write("id\t", () => stopping.abort()));
    await shop.set();
    expect(await source.fetchDue(core(), patient, stopping.signal)).toBe(1);
    expect(await shop.find()).toMatchObject({ failures: 0, lastError: null, isFetching: true });
    answer(text(tsv([{ id: "1" }])));
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
  });

  it("that fails is tried again, ever later; after seven times it is off, and the merchant is mailed", async () => {
    const shop = await makeFed();
    await shop.load(tsv([{ id: "kept" }]));
    answer((_, res) => void res.writeHead(404).end());
    await shop.set();
    const waited: number[] = [];
    for (let i = 1; i <= 7; i++) {
      await shop.due();
      await shop.work();
      const found = await shop.find();
      expect(found).toMatchObject({
        failures: i,
        isFetching: false,
        lastOutcome: "failed",
        lastError: "The server answered 404 Not Found.",
      });
      if (found!.nextFetchAt) waited.push(Math.round((found!.nextFetchAt.getTime() - Date.now()) / 3_600_000));
    }
    expect(waited).toEqual([1, 2, 4, 8, 16, 24]);
    expect(await shop.find()).toMatchObject({ isOff: true, nextFetchAt: null });
    expect(await shop.ids()).toEqual(["kept"]);
    const mails =
      await database.sql`select data from outbox where template = 'feed-source-off' and data->>'storeId' = ${shop.storeId}`;
    expect(mails).toMatchObject([{ data: { reason: "The server answered 404 Not Found." } }]);
    answer(text(tsv([{ id: "again" }])));
    await shop.fetchNow();
    await shop.work();
    expect(await shop.find()).toMatchObject({ isOff: false, failures: 0, lastError: null });
    expect(await shop.ids()).toEqual(["again"]);
  });

  it("that fails is off after seven times also where it was loaded from before", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "kept" }])));
    await shop.set();
    await shop.work();
    answer((_, res) => void res.writeHead(404).end());
    for (let i = 1; i <= 7; i++) {
      await shop.due();
      await shop.work();
      expect(await shop.find()).toMatchObject({ failures: i, lastError: "The server answered 404 Not Found." });
    }
    expect(await shop.find()).toMatchObject({ isOff: true });
    expect(await shop.ids()).toEqual(["kept"]);
  });

  it.each([
    ["whose account is deleted", ({ ctx }: Person) => accounts.deleteAccount(ctx, { currentPassword: PASSWORD })],
    [
      "who is removed",
      ({ id: accountId }: Person, merchantId: string) =>
        remove(database.as({ kind: "operator", accountId: null }), { merchantId, accountId }),
    ],
  ] as const)("that is off is told to nobody %s while they are told", async (_, goes) => {
    const shop = await makeFed();
    const { merchantId, storeId } = shop;
    const person = await makePerson();
    await database.sql`insert into merchant_members (merchant_id, account_id) values (${merchantId}, ${person.id})`;
    await shop.set(base);
    await database.sql`update feed_sources set failures = 6 where store_id = ${storeId}`;
    let going: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await failed({ ...database.as({ kind: "system" }), db: tx }, storeId, base, "Gone.");
      going = goes(person, merchantId);
      // Where nothing holds them up they have gone by then, and the mail stays.
      await Promise.race([going, untilWaiting(database.sql, 1)]);
    });
    await going;
    const mails = await database.sql`
      select a.id from outbox o left join accounts a on a.email = o.recipient
      where o.template = 'feed-source-off' and o.data->>'storeId' = ${storeId}`;
    expect(mails).toEqual([{ id: shop.actor.accountId }]);
    expect(await shop.find()).toMatchObject({ isOff: true, failures: 7 });
  });

  it.each([true, false])(
    "that fails does not stand in the way of who set it and goes, whether they still act: %s",
    async (acts) => {
      const { merchantId, storeId } = await makeFed();
      const person = await makePerson();
      await database.sql`insert into merchant_members (merchant_id, account_id) values (${merchantId}, ${person.id})`;
      await source.set(database.as({ kind: "merchant", accountId: person.id, merchantId }), { storeId, url: base });
      if (!acts) await database.sql`delete from merchant_members where account_id = ${person.id}`;
      let both: Promise<unknown>[] = [];
      await database.sql.begin(async (tx) => {
        await tx`select from feed_sources where store_id = ${storeId} for update`;
        both = [failed(database.as({ kind: "system" }), storeId, base, "Gone.")];
        await untilWaiting(database.sql, 1);
        both.push(accounts.deleteAccount(person.ctx, { currentPassword: PASSWORD }));
        await untilWaiting(database.sql, 2);
      });
      await Promise.all(both);
      const [row] = await database.sql`select failures, created_by from feed_sources where store_id = ${storeId}`;
      expect(row).toEqual({ failures: 1, created_by: null });
    },
  );

  it("begins anew with each success, each new address, and whoever asks for it", async () => {
    const shop = await makeFed();
    const fails = async () => {
      answer((_, res) => void res.writeHead(404).end());
      await shop.due();
      await shop.work();
    };
    await shop.set();
    await fails();
    await fails();
    await shop.fetchNow();
    await fails();
    expect(await shop.find()).toMatchObject({ failures: 1, lastOutcome: "failed" });
    answer((_, res) => void res.writeHead(304).end());
    await shop.due();
    await shop.work();
    expect(await shop.find()).toMatchObject({ failures: 0, lastOutcome: "unchanged", lastError: null });
    await fails();
    await shop.set(`${base}/another.tsv`);
    const { nextFetchAt, ...found } = (await shop.find())!;
    expect(found).toEqual({
      ...{ url: `${base}/another.tsv`, isOff: false, isFetching: true, failures: 0 },
      ...{ lastFetchAt: null, lastOutcome: null, lastError: null },
    });
    await shop.remove();
  });

  it.each<[string, (res: ServerResponse, stop: () => void) => void]>([
    ["sends its file", (res) => res.end(tsv([{ id: "old" }]))],
    ["says that nothing changed", (res) => res.writeHead(304).end()],
    ["fails", (res) => res.writeHead(500).end()],
    ["is let go", (_, stop) => stop()],
  ])("that is another one meanwhile is fetched at once, and is none of the old one's, which %s", async (_, end) => {
    const shop = await makeFed();
    const stopping = new AbortController();
    let finish = () => {};
    answer((req, res) => {
      if (req.url === "/new") res.end(tsv([{ id: "new" }]));
      else finish = () => end(res, () => stopping.abort());
    });
    await shop.set(`${base}/old`);
    const fetching = source.fetchDue(core(), here, stopping.signal);
    await expect.poll(() => asked.length).toBe(1);
    await shop.set(`${base}/new`);
    await shop.work();
    const found = await shop.find();
    expect(found).toMatchObject({ lastOutcome: "fetched", failures: 0 });
    finish();
    await fetching;
    await shop.run();
    expect(await shop.ids()).toEqual(["new"]);
    expect(await shop.find()).toEqual(found);
    expect(await database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(1);
  });

  it("is shown as being fetched, and left to who began, until that one must have died", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }])));
    await shop.set();
    await shop.work();
    const leased = (until: string) =>
      database.sql`update feed_sources set lease_until = now() + ${until}::interval where store_id = ${shop.storeId}`;
    await shop.due();
    expect((await shop.find())!.isFetching).toBe(false);
    await leased("1 minute");
    expect((await shop.find())!.isFetching).toBe(true);
    await shop.work();
    expect(asked).toHaveLength(1);
    await leased("-1 second");
    expect((await shop.find())!.isFetching).toBe(false);
    await shop.work();
    expect(asked).toHaveLength(2);
  });

  it("is left to who fetches it for as long as that takes, and for a minute after their last word", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const shop = await makeFed();
    let finish = () => {};
    answer((_, res) => {
      res.write(tsv([{ id: "1" }]));
      finish = () => res.end();
    });
    const leaseUntil = async () =>
      (
        await database.sql<{ at: Date | null }[]>`
        select lease_until as at from feed_sources where store_id = ${shop.storeId}`
      )[0]!.at;
    await shop.set();
    const fetching = source.fetchDue(core(), patient);
    await expect.poll(() => asked.length).toBe(1);
    let lease = await leaseUntil();
    for (let times = 0; times < 2; times++) {
      vi.advanceTimersByTime(15_000);
      await expect.poll(leaseUntil).not.toEqual(lease);
      const next = await leaseUntil();
      expect(next!.getTime()).toBeGreaterThan(lease!.getTime());
      expect(next!.getTime()).toBeLessThanOrEqual(Date.now() + 60_000);
      lease = next;
      expect(await source.fetchDue(core(), here)).toBe(0);
    }
    // Saved again, the same address is fetched by whoever comes first, and no more leased by who still fetches it.
    await shop.set();
    vi.advanceTimersByTime(15_000);
    answer(text(tsv([{ id: "2" }])));
    await shop.work();
    expect(await shop.ids()).toEqual(["2"]);
    finish();
    await fetching;
    expect(vi.getTimerCount()).toBe(0);
    await shop.run();
  });

  it("is fetched by another once its process has died, whose part of the file is in nobody's way", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }])));
    await shop.set();
    await database.sql`update feed_sources set lease_until = now() - interval '1 second' where store_id = ${shop.storeId}`;
    await database.sql`insert into feed_files (id, store_id, file_name, is_fetched, lease_until)
      values (gen_random_uuid(), ${shop.storeId}, 'part', true, now() + interval '20 seconds')`;
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
  });

  it.each([
    ["the database went away", "57P01", 1],
    ["something is wrong with us", "P0001", 20],
  ])("that was not fetched since %s is let go of, and fetched later, or when asked for", async (_, code, minutes) => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }])));
    await database.sql.unsafe(`
      create function no_part() returns trigger language plpgsql as $$ begin raise 'no' using errcode = '${code}'; end $$;
      create trigger no_part before insert on feed_file_parts for each row execute function no_part()`);
    await shop.set();
    expect(await source.fetchDue(core(), here)).toBe(1);
    await database.sql.unsafe("drop function no_part cascade");
    const found = await shop.find();
    expect(found).toMatchObject({ isFetching: false, failures: 0, lastError: null });
    expect(Math.abs(found!.nextFetchAt!.getTime() - Date.now() - minutes * 60_000)).toBeLessThan(30_000);
    await shop.fetchNow();
    expect((await shop.find())!.isFetching).toBe(true);
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
  });

  it("is kept in the audit without its query, which often has a token, also when it is given up", async () => {
    const shop = await makeFed();
    answer((_, res) => void res.writeHead(404).end());
    await shop.set(`${base}/feed.tsv?token=hush-hush#part`);
    for (let i = 1; i <= 7; i++) {
      await shop.due();
      await shop.work();
    }
    expect(await shop.find()).toMatchObject({ isOff: true });
    await shop.remove();
    const acts = await database.sql`
      select action, actor_kind, coalesce(after, before) as said from audit
      where target_id = ${shop.storeId} and action like 'feed.source.%' order by at, id`;
    const url = `${base}/feed.tsv?…`;
    expect(acts).toEqual([
      { action: "feed.source.set", actor_kind: "merchant", said: { url } },
      {
        ...{ action: "feed.source.off", actor_kind: "system" },
        said: { url, why: "The server answered 404 Not Found." },
      },
      { action: "feed.source.remove", actor_kind: "merchant", said: { url } },
    ]);
  });

  it("that was given up before is cut in the audit by a migration, and the audit is insert-only afterwards", async () => {
    const write = (action: string, url: string) =>
      database.db.execute(raw`
        insert into audit (id, actor_kind, action, target_kind, target_id, after, request_id)
        values (${crypto.randomUUID()}, 'system', ${action}, 'store', 'of-before', ${JSON.stringify({ url, why: "Gone?" })},
          ${crypto.randomUUID()})`);
    await write("feed.source.off", "https://x.example/a/f.tsv?token=hush-hush&x=1?2#part");
    await write("feed.source.off", "https://x.example/plain.tsv");
    await write("feed.source.elsewhere", "https://x.example/f?kept");
    const migration = await readFile(new URL("../../db/migrations/0016_feed_secrets.sql", import.meta.url), "utf8");
    await database.sql.begin(async (tx) => {
      for (const statement of migration.split("--> statement-breakpoint")) await tx.unsafe(statement);
    });
    const rows = await database.sql`
      select before, after from audit where target_id = 'of-before' order by after->>'url' collate "C"`;
    const mended = ["https://x.example/a/f.tsv?…", "https://x.example/f?kept", "https://x.example/plain.tsv"];
    expect(rows).toEqual(mended.map((url) => ({ before: null, after: { url, why: "Gone?" } })));
    await expect(database.sql`update audit set after = null`).rejects.toMatchObject({ code: "42501" });
  });

  it("whose file is refused counts as failing too", async () => {
    const shop = await makeFed();
    answer(text("<html>Not here</html>", { etag: '"x"', "last-modified": "Mon, 01 Jun 2026 00:00:00 GMT" }));
    await shop.set();
    await shop.work();
    expect(await shop.find()).toMatchObject({
      failures: 1,
      lastOutcome: "failed",
      lastError: expect.stringContaining("a web page"),
    });
    await shop.due();
    await shop.work();
    const { "if-none-match": tag, "if-modified-since": date } = asked.at(-1)!.headers;
    expect([tag, date]).toEqual([undefined, undefined]);
    expect((await shop.find())!.failures).toBe(2);
  });

  it("whose file was refused when the process died counts as failing once, when it is due again", async () => {
    const shop = await makeFed();
    const { storeId } = shop;
    answer(text("<html>Not here</html>", { etag: '"x"' }));
    await shop.set();
    await source.fetchDue(core(), here);
    const [taken] = await database.sql<{ id: string; fileId: string }[]>`
      update feed_loads set outcome = 'loading' where store_id = ${storeId} returning id, file_id as "fileId"`;
    const content = readBack(core(), taken!.fileId);
    const loading = load(database.as({ kind: "system" }), {
      ...{ storeId, content, fileName: "feed.tsv", fileId: taken!.fileId, loadId: taken!.id },
    });
    await expect(loading).rejects.toMatchObject({ code: "feed_refused" });
    expect(await shop.find()).toMatchObject({ failures: 0, lastOutcome: "fetched" });
    await shop.due();
    await Promise.all([source.fetchDue(core(), here), source.fetchDue(core(), here)]);
    const found = await shop.find();
    expect(found).toMatchObject({
      failures: 1,
      lastOutcome: "failed",
      lastError: expect.stringContaining("a web page"),
    });
    expect(Math.abs(found!.nextFetchAt!.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(asked).toHaveLength(1);
    // And is fetched whole the next time, and counted as any other.
    await shop.due();
    await shop.work();
    expect(asked.at(-1)!.headers["if-none-match"]).toBeUndefined();
    expect((await shop.find())!.failures).toBe(2);
  });

  it("whose file is refused counts as failing where the files of before cannot be let go of, too", async () => {
    const shop = await makeFed();
    answer(text("<html>Not here</html>"));
    await shop.set();
    await shop.work();
    await database.sql.unsafe(`
      create function stays() returns trigger language plpgsql as $$ begin raise 'stays'; end $$;
      create trigger stays before delete on feed_files for each row execute function stays()`);
    await shop.due();
    await shop.work();
    await database.sql.unsafe("drop function stays cascade");
    expect((await shop.find())!.failures).toBe(2);
  });

  it("whose file is refused is so once, on record and as a failure, though a worker that was taken for dead refuses it, too", async () => {
    const shop = await makeFed();
    answer(text("<html>Not here</html>"));
    await shop.set();
    await source.fetchDue(core(), here);
    const { id } = (await shop.get()).latest!;
    let running: Promise<number>[] = [];
    let holding: Promise<unknown> | undefined;
    let letGo = () => {};
    await database.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`feed:${shop.storeId}`}, 0))`;
      running = [shop.run()];
      await untilWaiting(database.sql, 1);
      await database.sql`update feed_loads set lease_until = now() - interval '1 second' where id = ${id}`;
      running.push(shop.run());
      await untilWaiting(database.sql, 2);
      // Neither can say what became of it before both have found out.
      await new Promise<void>((held) => {
        holding = database.sql.begin(async (row) => {
          await row`select from feed_loads where id = ${id} for update`;
          held();
          await new Promise<void>((resolve) => {
            letGo = resolve;
          });
        });
      });
    });
    await untilWaiting(database.sql, 2);
    letGo();
    await Promise.all([holding, ...running]);
    expect(await shop.find()).toMatchObject({ failures: 1, lastOutcome: "failed" });
    expect(
      await database.sql`select from audit where action = 'feed.load' and target_id = ${shop.storeId}`,
    ).toHaveLength(1);
  });

  it("is fetched again after it failed, and that failure told no more; once its file is loaded, it counts no more either", async () => {
    const shop = await makeFed();
    answer((_, res) => void res.writeHead(404).end());
    await shop.set();
    await shop.work();
    answer(text(tsv([{ id: "1" }])));
    await shop.due();
    await source.fetchDue(core(), here);
    expect(await shop.find()).toMatchObject({ failures: 1, lastOutcome: "fetched", lastError: null });
    await shop.run();
    expect((await shop.find())!.failures).toBe(0);
  });

  it("whose file is refused after another address was saved leaves that one as it is", async () => {
    const shop = await makeFed();
    answer(text("<html>Not here</html>"));
    await shop.set(`${base}/old.tsv`);
    await source.fetchDue(core(), here);
    await shop.set(`${base}/new.tsv`);
    const saved = await shop.find();
    await shop.run();
    expect((await shop.get()).latest).toMatchObject({ outcome: "refused" });
    expect(await shop.find()).toEqual(saved);
    expect(saved).toMatchObject({ url: `${base}/new.tsv`, failures: 0, lastError: null, isFetching: true });
    answer(text(tsv([{ id: "1" }])));
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
  });

  it("that unzips into too much is refused", async () => {
    const shop = await makeFed();
    // A thousand times as large as it comes: 100 MB of one endless line.
    answer(text(gzipSync(Buffer.alloc(100_000_000, "x"), { level: 9 })));
    await shop.set();
    await shop.work();
    expect((await shop.get()).latest).toMatchObject({ outcome: "refused" });
  });

  it("that never ends is read no further than a file may be large", async () => {
    const shop = await makeFed();
    const chunk = Buffer.alloc(1024 * 1024);
    answer((_, res) => {
      const send = () => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on("drain", send);
      send();
    });
    await shop.set();
    await source.fetchDue(core(), patient);
    const lastError = "The file is larger than 200 MB. Compress it with gzip.";
    expect(await shop.find()).toMatchObject({ failures: 1, lastError });
    expect(await database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(0);
    await expect.poll(() => asked[0]!.socket.destroyed).toBe(true);
  });

  it("is fetched once, though several instances look", async () => {
    const shop = await makeFed();
    answer(text(tsv([{ id: "1" }])));
    await shop.set();
    await Promise.all([source.fetchDue(core(), here), source.fetchDue(core(), here), source.fetchDue(core(), here)]);
    expect(asked).toHaveLength(1);
    await shop.run();
  });

  it("waits for no slow shop: others are fetched meanwhile, also those whose address is saved only then", async () => {
    const [slow, quick, later] = [await makeFed(), await makeFed(), await makeFed()];
    let end = () => {};
    answer((req, res) => {
      if (req.url !== "/slow") return res.end(tsv([{ id: "1" }]));
      res.write("id\t");
      end = () => res.end("title\n");
    });
    const areAsked = (...urls: string[]) =>
      expect.poll(() => asked.map(({ url }) => url)).toEqual(expect.arrayContaining(urls.map((url) => `/${url}`)));
    await slow.set(`${base}/slow`);
    await quick.set(`${base}/quick`);
    const fetching = source.fetchDue(core(), here);
    await areAsked("slow", "quick");
    await later.set(`${base}/later`);
    await areAsked("later");
    end();
    expect(await fetching).toBe(3);
    for (const shop of [slow, quick, later]) expect(await shop.find()).toMatchObject({ lastOutcome: "fetched" });
    await slow.run();
  });

  it("counts a failure that its server words so that no text may hold it, or at any length", async () => {
    const shop = await makeFed();
    const lines = { "a\0b\u0007": " ab", [`${"x".repeat(5_000)}`]: ` ${"x".repeat(100)}`, "": "" };
    for (const [i, [line, kept]] of Object.entries(lines).entries()) {
      answer((req) => void req.socket.end(`HTTP/1.1 500 ${line}\r\ncontent-length: 0\r\n\r\n`));
      if (i === 0) await shop.set();
      else await shop.due();
      await source.fetchDue(core(), here);
      expect(await shop.find()).toMatchObject({ failures: i + 1, lastError: `The server answered 500${kept}.` });
    }
  });

  it("is fetched also where what became of another store's could not be written", async () => {
    const [bad, ...others] = await Promise.all(Array.from({ length: 7 }, makeFed));
    await database.sql.unsafe(`
      create function refuse_it() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger refuse_it before update of failures on feed_sources for each row
        when (new.store_id = '${bad!.storeId}' and new.failures > 0) execute function refuse_it()`);
    answer((req, res) => void (req.url === "/bad" ? res.writeHead(404).end() : res.end(tsv([{ id: "1" }]))));
    await bad!.set(`${base}/bad`);
    for (const shop of others) await shop.set();
    await expect(source.fetchDue(core(), here)).rejects.toThrow();
    for (const shop of others) expect(await shop.find()).toMatchObject({ lastOutcome: "fetched" });
    await database.sql`drop trigger refuse_it on feed_sources`;
    for (const shop of others) await shop.run();
  });

  it("is one of four at once at most, and those that wait longest come first", async () => {
    const shops = await Promise.all(Array.from({ length: 6 }, makeFed));
    const waiting: ServerResponse[] = [];
    answer((_, res) => void waiting.push(res));
    for (const [i, shop] of shops.entries()) await shop.set(`${base}/${i}`);
    await shops[5]!.due();
    const fetching = source.fetchDue(core(), here);
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(4);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(asked.map(({ url }) => url).toSorted()).toEqual(["/0", "/1", "/2", "/5"]);
    answer((_, res) => res.writeHead(404).end());
    for (const res of waiting) res.writeHead(404).end();
    expect(await fetching).toBe(6);
  });

  it("is fetched at once where it is corrected, though the wrong file, which never ends, is still coming in", async () => {
    const shop = await makeFed();
    answer((req, res) => {
      if (req.url === "/new.tsv") return void res.end(tsv([{ id: "1" }]));
      res.write("id\ttitle\n");
    });
    await shop.set(`${base}/old.tsv`);
    const stopping = new AbortController();
    const fetching = source.fetchDue(core(), patient, stopping.signal);
    await expect.poll(() => database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(1);
    await shop.set(`${base}/new.tsv`);
    await shop.work();
    expect(await shop.ids()).toEqual(["1"]);
    stopping.abort();
    await fetching;
    expect(await shop.find()).toMatchObject({ url: `${base}/new.tsv`, failures: 0, lastError: null });
    expect(await database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(1);
  });

  it("that is saved once more while it comes in is fetched anew, and counts no failure", async () => {
    const shop = await makeFed();
    let first: ServerResponse | undefined;
    answer((_, res) => {
      if (first) return void res.end(tsv([{ id: "new" }]));
      first = res;
      res.write("id\ttitle\n");
    });
    await shop.set();
    const fetching = source.fetchDue(core(), patient);
    await expect.poll(() => database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(1);
    await shop.set();
    first!.end("1\told\n");
    await fetching;
    await shop.work();
    expect(await shop.ids()).toEqual(["new"]);
    expect(await shop.find()).toMatchObject({ failures: 0, lastError: null, lastOutcome: "fetched" });
  });

  it("is none any more once it is removed, also while it is being fetched", async () => {
    const shop = await makeFed();
    let removed: Promise<void> | undefined;
    answer((_, res) => {
      removed = shop.remove().then(() => void res.end(tsv([{ id: "1" }])));
    });
    await shop.set();
    await shop.work();
    await removed;
    expect(await shop.find()).toBeNull();
    expect(await shop.ids()).toEqual([]);
    expect(await database.sql`select from feed_files where store_id = ${shop.storeId}`).toHaveLength(0);
    await expect(shop.remove()).rejects.toMatchObject({ code: "not_found" });
    await expect(shop.fetchNow()).rejects.toMatchObject({ code: "not_found" });
  });

  it("is replaced or removed by nobody who was shown another one, or none", async () => {
    const shop = await makeFed();
    const { storeId } = shop;
    const [first, second, third] = [`${base}/first`, `${base}/second`, `${base}/third`] as const;
    const setAs = (url: string, shown: string) => source.set(shop.ctx(), { storeId, url, shown });
    const removeAs = (shown: string) => source.remove(shop.ctx(), { storeId, shown });
    await setAs(first, "");
    await setAs(second, first);
    for (const shown of [first, ""]) {
      for (const act of [() => removeAs(shown), () => setAs(third, shown)])
        await expect(act()).rejects.toMatchObject({ code: "conflict", details: { version: second } });
    }
    expect(await shop.find()).toMatchObject({ url: second });
    await setAs(third, second);
    expect(await shop.find()).toMatchObject({ url: third });
    await removeAs(third);
    await expect(setAs(first, third)).rejects.toMatchObject({ code: "conflict", details: { version: "" } });
    expect(await shop.find()).toBeNull();
  });

  it("is another merchant's affair alone", async () => {
    const [shop, other] = [await makeFed(), await makeFed()];
    const ref = { storeId: shop.storeId };
    await shop.set();
    const ctx = other.ctx();
    for (const act of [source.find, source.remove, source.fetchNow]) {
      await expect(act(ctx, ref)).rejects.toMatchObject({ code: "not_found" });
    }
    await expect(source.set(ctx, { ...ref, url: base })).rejects.toMatchObject({ code: "not_found" });
    await shop.remove();
  });

  it.each([
    ...["http://127.0.0.1/f", "http://localhost:3000/f", "http://shop.LOCALHOST./f", "http://2130706433/f"],
    ...["http://[::1]/f", "http://10.0.0.1/f", "https://192.168.1.1:8443/f", "http://169.254.169.254/latest"],
  ])("is none inside of our own network: %s", async (url) => {
    const { storeId, ctx, find } = await makeFed();
    const refused = source.set({ ...ctx(), mayFetch: internet.allows }, { storeId, url });
    await expect(refused).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("is not an address on the public internet"),
      details: { issues: [{ path: "url" }] },
    });
    expect(await find()).toBeNull();
  });

  it("is none at a port of other services; but a name may be any, since where it leads is found out when it is fetched", async () => {
    const { storeId, ctx, find, remove } = await makeFed();
    const set = (url: string) => source.set({ ...ctx(), mayFetch: internet.allows }, { storeId, url });
    await expect(set("http://shop.example:25/f")).rejects.toMatchObject({ details: { issues: [{ path: "url" }] } });
    await set("http://intranet.example/f");
    expect(await find()).toMatchObject({ url: "http://intranet.example/f" });
    await remove();
  });

  const isAddress = (url: string) => source.SetSource.safeParse({ storeId: crypto.randomUUID(), url }).success;

  it.each([
    ...["ftp://x.example/f", "x.example/feed", "https://user:secret@x.example/f", "javascript:alert(1)"],
    "HTTPS://user@x.example/f",
  ])("is not %s", (url) => expect(isAddress(url)).toBe(false));

  it("has its scheme in any case (RFC 3986, section 3.1), as the table takes it", () => {
    const parsed = source.SetSource.parse({ storeId: crypto.randomUUID(), url: "HTTPS://Shop.example/Feed.tsv" });
    expect(parsed.url).toBe("https://Shop.example/Feed.tsv");
  });

  it("has 2,000 characters at most", () => {
    const long = `https://x.example/${"f".repeat(1_982)}`;
    expect([isAddress(long), isAddress(`${long}f`)]).toEqual([true, false]);
  });
});

it.each(["sftp://shop.example/feed.tsv", "FTP://shop.example/feed.tsv", "ftps://shop.example/feed.tsv"])(
  "an address that is none of the web's is refused with those that are: %s",
  (url) => {
    const [issue] = source.SetSource.safeParse({ storeId: crypto.randomUUID(), url }).error!.issues;
    expect(issue!.message).toBe(
      "Enter an address that begins with https:// or http://. FTP and SFTP are not supported.",
    );
  },
);
