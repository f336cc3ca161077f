// `npm start` on nothing but a folder: the embedded default, from the first start to a crash and back.
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../db/client";
import { startEmbedded } from "../../db/embedded";
import { start as startCore } from "../../server/core";
import { readEnv } from "../../server/env";
import { listen } from "../../server/listen";
import { makeDataFolder } from "../support/after-us";
import { commandLine } from "../support/aisle";
import { rpc } from "../support/clients";
import { testDatabase } from "../support/database";
import { strayRows } from "../support/load";
import { freePort, startServer, type TestServer } from "../support/server";

/** Where a server has started before, and has stopped. */
let directory: string;
/** What it printed and answered that time, when the folder was empty. */
let first: { printed: string; found: number; healthz: unknown; readyz: number };

beforeAll(async () => {
  directory = await makeDataFolder();
  const server = await start();
  first = {
    printed: server.output(),
    found: await search(server, keyIn(server)),
    healthz: await (await fetch(`${server.url}/healthz`)).json(),
    readyz: (await fetch(`${server.url}/readyz`)).status,
  };
  await server.stop();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const start = async (): Promise<TestServer> =>
  startServer("", { SECRET_KEY: "", DATA_DIR: directory, NODE_ENV: "", PORT: String(await freePort()) });
/** Stopped when the test is over. */
async function startForTest(): Promise<TestServer> {
  const server = await start();
  onTestFinished(() => server.stop());
  return server;
}
const keyIn = (server: TestServer) => /Bearer (aisle_\w+)/.exec(server.output())![1]!;
const search = async (server: TestServer, key: string) => {
  const reply = await rpc(server.url, key, "tools/call", {
    name: "search_products",
    arguments: { query: "tent", limit: 3 },
  });
  return reply.json.result?.structuredContent?.products.length ?? reply.status;
};
const aisle = commandLine(() => ({ DATA_DIR: directory, TZ: "America/New_York" }));
const postmaster = async (): Promise<number | undefined> => {
  const file = (await readdir(directory)).includes("pg") ? join(directory, "pg", "postmaster.pid") : undefined;
  return file
    ? readFile(file, "utf8").then(
        (text) => Number.parseInt(text, 10),
        () => undefined,
      )
    : undefined;
};
const untilStopped = () => expect.poll(postmaster, { interval: 100 }).toBeUndefined();

it("npm start on an empty folder prints the URL, a sign-in for each role and a curl line whose key works", () => {
  for (const role of ["owner", "developer", "reviewer", "operator", "merchant"])
    expect(first.printed).toMatch(new RegExp(`${role} +\\S+@demo\\.example +\\S{16,}`));
  expect(first).toMatchObject({ found: 3, healthz: { status: "ok" }, readyz: 200 });
});

describe("on a database of its own", () => {
  const database = testDatabase();

  it("npm start serves also where it cannot ask for the demo that it would tell of", async () => {
    await database.sql`alter table stores rename column is_demo to elsewhere`;
    const server = await startServer(database.url, {}, { expected: /is_demo/ });
    onTestFinished(() => server.stop());
    await expect.poll(server.output).toContain("the demo was not looked up");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe("a start that fails", () => {
  it("once its database is up, since the port is taken, leaves no PostgreSQL behind", async () => {
    const other = createServer();
    onTestFinished(() => void other.close());
    const PORT = String(await listen(other, "PORT", 0, "127.0.0.1"));
    const env = { SECRET_KEY: "", DATA_DIR: directory, NODE_ENV: "", PORT };
    // Which PostgreSQL writes whenever it starts.
    const startedAt = async () => (await stat(join(directory, "pg", "postmaster.opts"))).mtimeMs;
    const before = await startedAt();
    await expect(startServer("", env)).rejects.toThrow(/exited with 1:[\s\S]*PORT/);
    expect(await startedAt()).toBeGreaterThan(before);
    await untilStopped();
  });

  it("lets go of its database, so that the process ends and PostgreSQL with it", async () => {
    const folder = await makeDataFolder();
    const made = await startEmbedded(folder, { durable: false });
    onTestFinished(async () => {
      await made.release();
      await rm(folder, { recursive: true, force: true });
    });
    const { sql, close } = connect(made.url);
    await sql`create table accounts (of text)`;
    const env = readEnv({ NODE_ENV: "development", DATA_DIR: folder, LOG_LEVEL: "silent" });
    await expect(startCore(env, "aisle-test", "server")).rejects.toThrow();
    const others = () => sql`
      select application_name, query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    // The one that started it here, and no other.
    await expect.poll(others).toHaveLength(1);
    await close();
  });

  it("names the variable whose port is in use", async () => {
    const taken = createServer();
    onTestFinished(() => void taken.close());
    const port = await listen(taken, "PORT", 0, "127.0.0.1");
    await expect(listen(createServer(), "METRICS_PORT", port, "127.0.0.1")).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use. Set METRICS_PORT to a free one`,
    );
  });

  it("suggests a port that there is, also beside the last", async () => {
    const taken = createServer();
    onTestFinished(() => void taken.close());
    // Whoever has it already, it is taken.
    await listen(taken, "PORT", 65_535, "127.0.0.1").catch(() => {});
    await expect(listen(createServer(), "PORT", 65_535, "127.0.0.1")).rejects.toThrow("PORT=65534 npm start");
  });
});

describe("npm start on a folder with data", () => {
  it("a second start joins the same database, and outlives the first; PostgreSQL stops when the last one leaves", async () => {
    const one = await startForTest();
    const two = await startForTest();
    expect(await search(two, keyIn(one))).toBe(3);
    await one.stop();
    expect(one.process.exitCode).toBe(0);
    expect(await search(two, keyIn(two))).toBe(3);
    expect(await postmaster()).toBeDefined();
    await two.stop();
    await untilStopped();
  });

  it("kill -9 loses nothing that was answered, and the next start takes over the database", async () => {
    const one = await startForTest();
    const key = keyIn(one);
    const { headers } = await rpc(one.url, key, "ping");
    await one.stop("SIGKILL");
    expect(await postmaster()).toBeDefined();
    const two = await startForTest();
    expect(await search(two, key)).toBe(3);
    const listed = JSON.parse((await aisle("key", "list", "--consumer", "demo", "--json")).stdout);
    expect(listed.filter((row: { state: string }) => row.state === "active").length).toBeGreaterThan(1);
    const joined = await startEmbedded(directory);
    const { sql, close } = connect(joined.url);
    expect(await strayRows(sql, [String(headers["x-request-id"])])).toBe(0);
    await close();
    await joined.release();
  });

  it("with live reload ends in order, too, and PostgreSQL with it", async () => {
    const one = await startServer("", {
      ...{ SECRET_KEY: "", DATA_DIR: directory, NODE_ENV: "development", PORT: String(await freePort()) },
    });
    await one.stop();
    await untilStopped();
  });

  it("ends in order though one Ctrl-C comes twice, from the terminal and from npm", async () => {
    const one = await startForTest();
    one.process.kill("SIGINT");
    one.process.kill("SIGINT");
    await one.stop("SIGINT");
    expect(one.process.exitCode).toBe(0);
    await untilStopped();
  });
});

describe("npm run aisle", () => {
  it("demo --json gives one JSON value and nothing else, also when no server runs", async () => {
    await untilStopped();
    const { code, stdout } = await aisle("demo", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      url: expect.stringMatching(/^http/),
      sign_ins: ["owner", "developer", "reviewer", "operator", "merchant"].map((role) => ({
        role,
        email: expect.stringContaining("@"),
        password: expect.any(String),
        is_own: false,
      })),
      consumer: { slug: "demo" },
      stores: expect.arrayContaining([
        { id: expect.any(String), slug: "tarn-and-timber", name: "Tarn & Timber", is_demo: true },
        expect.objectContaining({ is_demo: false }),
      ]),
    });
    await untilStopped();
  });
});

describe("npm run aisle beside a server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start();
    return () => server.stop();
  });

  it("names the URL of the instance that runs", async () => {
    const { stdout } = await aisle("demo", "--json");
    expect(JSON.parse(stdout).url).toBe(server.url);
  });

  it("issues, lists and revokes keys; without --json issue prints the bare key", async () => {
    const bare = (await aisle("key", "issue", "--consumer", "demo")).stdout;
    expect(bare).toMatch(/^aisle_\w{36}\n$/);
    expect(await search(server, bare.trim())).toBe(3);
    const expires = "2099-01-01T00:00:00.000Z";
    const json = (
      await aisle(
        "key",
        "issue",
        "--consumer",
        "demo",
        "--name",
        "CI",
        "--scopes",
        "offers:read",
        "--expires",
        "2099-01-01T00:00",
        "--json",
      )
    ).stdout;
    const issued = JSON.parse(json);
    expect(issued).toEqual({
      id: expect.any(String),
      value: expect.any(String),
      name: "CI",
      scopes: ["offers:read"],
      expires_at: expires,
    });
    expect(await aisle("key", "issue", "--consumer", "demo", "--expires", "2099-02-30")).toMatchObject({ code: 2 });
    expect(await search(server, issued.value)).toBe(403);
    expect((await aisle("key", "revoke", issued.id)).code).toBe(0);
    expect(await search(server, issued.value)).toBe(401);
  });

  it("sets a consumer's limits, tier and coverage; they hold at once", async () => {
    const set = async (...args: string[]) =>
      JSON.parse((await aisle("consumer", "set", "--consumer", "demo", ...args, "--json")).stdout);
    expect(
      await set("--tier", "production", "--coverage", "explicit", "--rate-limit", "500", "--max-keys", "20"),
    ).toMatchObject({
      tier: "production",
      coverage: "explicit",
      rate_limit: 500,
      max_keys: 20,
      utm_source: "demo",
    });
    const key = (await aisle("key", "issue", "--consumer", "demo")).stdout.trim();
    const stores = async () =>
      (await rpc(server.url, key, "tools/call", { name: "list_stores", arguments: {} })).json.result.structuredContent
        .stores.length;
    expect(await stores()).toBe(1);
    await set("--coverage", "default_on");
    const all = JSON.parse((await aisle("store", "list", "--json")).stdout);
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(await stores()).toBe(all.length);
    await set("--tier", "sandbox");
    expect(await stores()).toBe(1);
  });

  it("creates a store, imports a feed into it, and reports the rows that it could not take", async () => {
    const store = JSON.parse(
      (
        await aisle(
          "store",
          "create",
          "--slug",
          "kiosk",
          "--name",
          "Kiosk",
          "--url",
          "https://kiosk.example",
          "--country",
          "IE",
          "--currency",
          "EUR",
          "--json",
        )
      ).stdout,
    );
    const feed = join(directory, "kiosk.csv");
    const rows = [
      "id,title,link,price,availability,image_link",
      "a,Green lamp,https://kiosk.example/a,12.50 EUR,in stock,https://kiosk.example/a.jpg",
      "b,Blue lamp,https://kiosk.example/b,9 EUR,in stock,https://kiosk.example/b.jpg",
      "c,Red lamp,https://kiosk.example/c,cheap,in stock,https://kiosk.example/c.jpg",
    ];
    await writeFile(feed, rows.join("\n"));
    const refused = await aisle("import", directory, "--store", "kiosk");
    expect(refused).toMatchObject({ code: 1, stderr: `There is no file ${directory}.\n` });
    const report = JSON.parse((await aisle("import", feed, "--store", "kiosk", "--json")).stdout);
    expect(report).toMatchObject({ rows: 3, loaded: 2, rejected: 1 });
    expect(report.issues).toContainEqual(expect.objectContaining({ line: 4, field: "price", value: "cheap" }));
    const listed = JSON.parse((await aisle("store", "list", "--json")).stdout);
    expect(listed).toContainEqual(expect.objectContaining({ id: store.id, slug: "kiosk", products: 2 }));
  });

  it("makes operators, lists them, logs people out and takes the desk back", async () => {
    const made = JSON.parse(
      (await aisle("operator", "create", "--email", "Ann@Example.com", "--name", "Ann", "--json")).stdout,
    );
    expect(made).toMatchObject({ email: "ann@example.com", name: "Ann", password: expect.any(String) });
    expect((await aisle("operator", "create", "--email", "ann@example.com", "--name", "Ann")).code).toBe(1);
    const emails = async () =>
      JSON.parse((await aisle("operator", "list", "--json")).stdout).map(({ email }: { email: string }) => email);
    expect(await emails()).toEqual(["ann@example.com", "operator@demo.example"]);
    expect(await aisle("account", "log-out", "--email", "ann@example.com")).toMatchObject({
      code: 0,
      stdout: "Ended 0 sessions of ann@example.com.\n",
    });
    expect((await aisle("operator", "remove", "--email", "Ann@example.com")).code).toBe(0);
    expect(await emails()).toEqual(["operator@demo.example"]);
  });

  it("says in plain words what it lists, and names the option that is wrong", async () => {
    const [operator] = JSON.parse((await aisle("operator", "list", "--json")).stdout);
    expect(operator).toMatchObject({ email: "operator@demo.example", second_factor_since: null });
    const wrong = await aisle(
      "consumer",
      "set",
      "--consumer",
      "demo",
      "--max-keys",
      "100000",
      "--scopes",
      "offers:read",
    );
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: --max-keys: /) });
  });

  it("works on the database that is there, and makes none where its environment names none: a backup of nothing is none", async () => {
    const folder = await makeDataFolder();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const elsewhere = commandLine(() => ({ DATA_DIR: folder }));
    const file = join(folder, "backup.gz");
    expect(await elsewhere("backup", file)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^There is no database: DATABASE_URL is not set/),
    });
    expect(await readdir(folder)).not.toContain("backup.gz");
    expect(await readdir(folder)).not.toContain("pg");
    expect(await elsewhere("seed")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Loaded /) });
  });

  const made = ["--slug", "ridgeline-two", "--name", "Ridgeline Two", "--country", "ie", "--currency", "eur"];
  it("store create takes codes in lower case, and the id of a merchant that there is, whose name alone it refuses, as it does an empty one", async () => {
    const create = (...given: string[]) => aisle("store", "create", ...made, ...given, "--json");
    const refused = await create("--url", "https://two.example", "--merchant", "Ridgeline Supply");
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    const id = /already a merchant "Ridgeline Supply".*--merchant ([\da-f-]{36});/.exec(refused.stderr)?.[1];
    expect(await create("--url", "two.example", "--merchant", id!)).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: --url: must be a full address, such as https:/),
    });
    expect(await create("--url", "https://two.example", "--merchant", "")).toEqual({
      code: 2,
      stdout: "",
      stderr: "error: --merchant: Enter the merchant's name.\n",
    });
    expect(await create("--url", "https://two.example", "--merchant", id!)).toMatchObject({ code: 0 });
    expect(JSON.parse((await aisle("store", "list", "--json")).stdout)).toContainEqual(
      expect.objectContaining({ slug: "ridgeline-two", country: "IE", currency: "EUR" }),
    );
  });

  const upper = [
    "--slug",
    "UPPER",
    "--name",
    "x",
    "--url",
    "https://x.example",
    "--country",
    "IE",
    "--currency",
    "EUR",
  ];

  it.each([
    [1, ["key", "issue", "--consumer", "nobody"], /consumer/i],
    [1, ["consumer", "show", "--consumer", "nobody"], /consumer/i],
    [1, ["key", "revoke", "01900000-0000-7000-8000-000000000000"], /key/i],
    [1, ["import", "/nowhere.tsv", "--store", "tarn-and-timber"], /^There is no file \/nowhere\.tsv\.$/m],
    [1, ["operator", "remove", "--email", "owner@demo.example"], /operator/i],
    [1, ["account", "log-out", "--email", "nobody@demo.example"], /account/i],
    [2, ["account", "log-out", "--email", "nobody"], /^error: --email: /],
    [2, ["key", "issue"], /required option '--consumer <slug>' not specified/],
    [
      2,
      ["key", "issue", "--consumer", "demo", "--scopes", "everything"],
      /'--scopes <list>'.*Scopes are: catalog:read/,
    ],
    [2, ["key", "issue", "--consumer", "demo", "--scopes", ""], /^error: --scopes: /],
    [2, ["key", "revoke", "not-an-id"], /It must be an id \(UUID\)/],
    [2, ["consumer", "set", "--consumer", "demo"], /^error: say what to set$/m],
    [2, ["consumer", "set", "--consumer", "demo", "--tier", "gold"], /--tier/],
    [2, ["consumer", "set", "--consumer", "demo", "--rate-limit", "-1"], /--rate-limit/],
    [
      2,
      ["consumer", "set", "--consumer", "demo", "--utm-source", "acme\u202e"],
      /^error: --utm-source: Remove the invis/,
    ],
    [2, ["key", "issue", "--consumer", "demo", "--name", "a\u0007"], /^error: --name: Remove the invisible characters/],
    [2, ["store", "create", ...upper], /^error: --slug: /],
    [2, ["frobnicate"], /unknown command 'frobnicate'/],
    [2, [], /^Usage: aisle /],
  ])("exits %i for %j, with the reason on stderr", async (code, args, reason) => {
    expect(await aisle(...args, "--json")).toEqual({ code, stdout: "", stderr: expect.stringMatching(reason) });
  });
});
