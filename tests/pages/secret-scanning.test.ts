// Leaked keys, reported as GitHub does: who signs is believed, nobody else; a key of ours is revoked and its owners hear of it.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { members } from "../../db/schema/consumers";
import { publishedKeys } from "../../server/leak-reports";
import * as admission from "../../server/services/key-admission";
import { mint } from "../../server/services/key-format";
import * as keys from "../../server/services/keys";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { signIn } from "../support/roles";
import { logOf, testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { mailingTo } from "../support/visitor";

const SAMPLE = {
  id: "bcb53661c06b4728e59d897fb6165d5c9cda0fd9cdf9d09ead458168deb7518c",
  key: "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYAGMWO8XgCamYKMJS6jc/qgvSlAd\nAjPuDPRcXU22YxgBrz+zoN19MzuRyW87qEt9/AmtoNP5GrobzUvQSyJFVw==\n-----END PUBLIC KEY-----\n",
  body: '[{"source":"commit","token":"some_token","type":"some_type","url":"https://example.com/base-repo-url/"}]',
  signature: "MEQCIQDaMKqrGnE27S0kgMrEK0eYBmyG0LeZismAEz/BgZyt7AIfXt9fErtRS4XaeSt/AO1RtBY66YcAdjxji410VQV4xg==",
};

/** Who publishes keys, as GitHub does. */
const publisher = (() => {
  const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" }).toString();
  const github = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
  const state = {
    url: "",
    asked: 0,
    answer: JSON.stringify({
      public_keys: [
        { key_identifier: SAMPLE.id, key: SAMPLE.key, is_current: false },
        { key_identifier: "current", key: pem(github.publicKey), is_current: true },
        { key_identifier: "other curve", key: pem(p384.publicKey), is_current: false },
      ],
    }),
    status: 200,
    signed: (body: string, by = github.privateKey) => sign("sha256", Buffer.from(body), by).toString("base64"),
    p384: p384.privateKey,
  };
  const good = state.answer;
  const server = createServer((req, res) => {
    state.asked++;
    // Where a redirect leads, all is as it should be.
    const isThere = req.url === "/elsewhere";
    const location = isThere ? {} : { location: "/elsewhere" };
    res.writeHead(isThere ? 200 : state.status, location).end(isThere ? good : state.answer);
  });
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  return state;
})();

const database = testDatabase();
const smtp = testSmtp();
const mailing = mailingTo(smtp);
const server = testServer(database, {
  get SMTP_URL() {
    return mailing.SMTP_URL;
  },
  MAIL_FROM: mailing.MAIL_FROM,
  TRUST_PROXY: "1",
  get SECRET_SCANNING_KEYS_URL() {
    return publisher.url;
  },
});

const WHERE = "https://github.com/octocat/Hello-World/blob/main/agent.env";
const finding = (token: string, given: Record<string, unknown> = {}) => ({
  token,
  type: "aisle_api_key",
  url: WHERE,
  source: "content",
  ...given,
});
const hash = (token: string) => createHash("sha256").update(token).digest("hex");
let sender = 0;

async function send(body: string, headers: Record<string, string> = {}) {
  const reply = await fetch(new URL("/api/secret-scanning", server.url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "github-public-key-identifier": "current",
      "github-public-key-signature": publisher.signed(body),
      "x-forwarded-for": `192.0.2.${++sender % 250}`,
      ...headers,
    },
    body,
  });
  return { status: reply.status, headers: reply.headers, json: await reply.json() };
}
const report = (...findings: unknown[]) => send(JSON.stringify(findings));

async function issued(name = "Main") {
  const consumer = await makeConsumer(database);
  const owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
  const key = await keys.issue(database.as(owner), { consumerId: consumer.id, name });
  return { consumer, owner, key };
}
const works = (value: string) =>
  admission.authenticate(database.as({ kind: "anonymous" }), value).then(
    () => true,
    (error) => error.details.reason as string,
  );

describe("a leaked key", () => {
  it("is revoked at once, its owners are mailed, the console and the audit say where, and nothing has its value", async () => {
    const { owner: stranger } = await makeConsumer(database);
    const { consumer, key } = await issued("Shop window");
    const second = await makeAccount(database);
    const developer = await makeAccount(database);
    await database.db.insert(members).values([
      { consumerId: consumer.id, accountId: second.id, role: "owner" },
      { consumerId: consumer.id, accountId: developer.id, role: "developer" },
    ]);
    const { status, json } = await report(finding(key.value));
    expect({ status, json }).toEqual({
      status: 200,
      json: [{ token_hash: hash(key.value), token_type: "aisle_api_key", label: "true_positive" }],
    });
    expect(await works(key.value)).toBe("revoked");
    for (const { email } of [consumer.owner, second]) {
      const [mail] = await smtp.arrived(email);
      expect(mail!.subject).toBe(`A key of ${consumer.name} was found in public and has been revoked`);
      expect(mail!.text).toContain(WHERE.replace("https://", ""));
      expect(mail!.text).toContain("Shop window");
      expect(`${mail!.text}${mail!.html}`).not.toContain(key.value);
    }
    const others = [developer.email, stranger.email];
    expect(await database.sql`select template from outbox where recipient in ${database.sql(others)}`).toEqual([]);
    const cookie = await signIn(database, consumer.owner);
    const page = await fetch(new URL("/console/keys", server.url), { headers: { cookie } });
    expect((await page.text()).replace(/<!-- -->/g, "")).toContain(`Found in public: ${WHERE}`);
    const acts = await database.sql`select * from audit where target_id = ${key.id} and action = 'key.revoke_leaked'`;
    expect(acts).toMatchObject([{ actor_kind: "system", actor_id: null, after: { url: WHERE, source: "content" } }]);
    expect(await logOf(server)).not.toContain(key.value);
  });

  it("that had taken another's place gives it back, which its owner is told", async () => {
    const { consumer, owner, key } = await issued();
    const heir = await keys.rotate(database.as(owner), { id: key.id, revokeOld: false });
    await report(finding(heir.value));
    expect([await works(key.value), await works(heir.value)]).toEqual([true, "revoked"]);
    const [mail] = await smtp.arrived(consumer.owner.email);
    const shown = `${key.value.slice(0, 10)}…${key.value.slice(-4)}`;
    expect(mail!.text).toContain(`The key before it (${shown}) still works and is the active one again.`);
  });

  it("that lay at a long address shows both ends of it under Keys, and all of it at a press", async () => {
    const { consumer, key } = await issued();
    const url = `https://github.com/octocat/${"deep/".repeat(40)}agent.env`;
    await report(finding(key.value, { url }));
    const cookie = await signIn(database, consumer.owner);
    const page = await (await fetch(new URL("/console/keys", server.url), { headers: { cookie } })).text();
    const [, summary, whole] = /<summary[^>]*>(.*?)<\/summary>(.*?)<\/details>/.exec(
      page.slice(page.indexOf("Found in public") - 200).replace(/<!-- -->/g, ""),
    )!;
    expect(summary).toBe("Found in public: https://github.com/octocat/dee…deep/deep/deep/agent.env");
    expect(whole).toBe(url);
  });

  it("is revoked once, though twenty reports come at once, and the owner hears of it once", async () => {
    const { consumer, key } = await issued();
    const replies = await Promise.all(Array.from({ length: 20 }, () => report(finding(key.value))));
    expect(new Set(replies.map(({ json }) => json[0].label))).toEqual(new Set(["true_positive"]));
    const acts = await database.sql`select 1 from audit where target_id = ${key.id} and action = 'key.revoke_leaked'`;
    expect(acts).toHaveLength(1);
    const mails = await database.sql`select 1 from outbox where recipient = ${consumer.owner.email}`;
    expect(mails).toHaveLength(1);
  });

  it("is revoked whatever its consumer's state; one that was revoked before stays as it was", async () => {
    const [rejected, earlier] = [await issued(), await issued()];
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${rejected.consumer.id}`;
    const operator = database.as({ kind: "operator", accountId: null } as const, new Date("2026-01-01T00:00:00Z"));
    await keys.revoke(operator, { id: earlier.key.id });
    const { json } = await report(finding(rejected.key.value), finding(earlier.key.value));
    expect(json.map(({ label }: { label: string }) => label)).toEqual(["true_positive", "true_positive"]);
    const rows =
      await database.sql`select revoked_at from keys where id in (${rejected.key.id}, ${earlier.key.id}) order by revoked_at`;
    expect(rows[0]!.revoked_at).toEqual(new Date("2026-01-01T00:00:00Z"));
    expect(rows[1]!.revoked_at).not.toBeNull();
  });

  it("is not repeated by what names the place", async () => {
    const { consumer, key } = await issued();
    await report(finding(key.value, { url: `https://example.com/?key=${key.value}`, source: key.value }));
    await smtp.arrived(consumer.owner.email);
    const [act] =
      await database.sql`select after::text from audit where target_id = ${key.id} and action = 'key.revoke_leaked'`;
    expect(act!.after).toContain("https://example.com/?key=[key]");
    expect(act!.after).not.toContain(key.value);
  });

  it("among a thousand that are none is found, and each gets its label", async () => {
    const { key } = await issued();
    const others = Array.from({ length: 999 }, (_, i) => (i % 2 ? mint() : `aisle_${"x".repeat(36)}`));
    const { json } = await report(...others.map((token) => finding(token, { url: "" })), finding(key.value));
    const labels = json.map(({ label }: { label: string }) => label);
    expect(labels.slice(0, -1).every((label: string) => label === "false_positive")).toBe(true);
    expect([labels.length, labels.at(-1)]).toEqual([1_000, "true_positive"]);
    expect(await works(key.value)).toBe("revoked");
  });
});

describe("a report", () => {
  it("is revoked though what is said of it, or of another finding beside it, is not as expected", async () => {
    const { key } = await issued();
    const odd = { url: null, source: 7, type: "t".repeat(201) };
    const { status, json } = await report(finding("some_token", odd), finding(key.value, { url: "x".repeat(10_001) }));
    expect([status, json[0].label, json[1].label]).toEqual([200, "false_positive", "true_positive"]);
    expect(await works(key.value)).toBe("revoked");
  });

  it("that was not signed by who publishes the keys is refused, and revokes nothing", async () => {
    const { key } = await issued();
    const body = JSON.stringify([finding(key.value)]);
    const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const wrong: Record<string, string>[] = [
      { "github-public-key-signature": "" },
      { "github-public-key-signature": "bm9uc2Vuc2U=" },
      { "github-public-key-signature": publisher.signed(body, stranger.privateKey) },
      { "github-public-key-signature": publisher.signed(`${body} `) },
      { "github-public-key-identifier": "" },
      { "github-public-key-identifier": SAMPLE.id },
      { "github-public-key-identifier": "unknown" },
      {
        "github-public-key-identifier": "other curve",
        "github-public-key-signature": publisher.signed(body, publisher.p384),
      },
    ];
    for (const headers of wrong) {
      const { status, json } = await send(body, headers);
      expect([status, json.code], JSON.stringify(headers)).toEqual([403, "forbidden"]);
    }
    expect(await works(key.value)).toBe(true);
  });

  it("as GitHub's documentation has it is taken", async () => {
    const { status, json } = await send(SAMPLE.body, {
      "github-public-key-identifier": SAMPLE.id,
      "github-public-key-signature": SAMPLE.signature,
    });
    expect([status, json]).toEqual([
      200,
      [{ token_hash: hash("some_token"), token_type: "some_type", label: "false_positive" }],
    ]);
  });

  it("that is no list of findings is refused without being quoted", async () => {
    const secret = randomBytes(8).toString("hex");
    for (const body of ["", secret, `"${secret}"`, "{}", `[{"token":1,"type":"${secret}"}]`, `[[["${secret}"]]]`]) {
      const { status, json } = await send(body);
      expect([status, json.code], body).toEqual([400, "invalid_input"]);
      expect(JSON.stringify(json)).not.toContain(secret);
    }
    const many = JSON.stringify(Array.from({ length: 1_001 }, () => ({ token: "", type: "" })));
    expect((await send(many)).status).toBe(400);
    expect((await send(JSON.stringify([finding("x".repeat(300_000))]))).status).toBe(413);
    expect(await logOf(server)).not.toContain(secret);
  });

  it("is heard from one network 60 times a minute", async () => {
    const from = { "x-forwarded-for": "198.51.100.7" };
    const replies = await Promise.all(Array.from({ length: 61 }, () => send("[]", from)));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("is a POST", async () => {
    const reply = await fetch(new URL("/api/secret-scanning", server.url));
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await reply.json()).toEqual({ message: "Use POST." });
  });
});

describe("the keys that are published", () => {
  const manyKeys = () => {
    const { public_keys } = JSON.parse(publisher.answer) as { public_keys: object[] };
    return JSON.stringify({ public_keys: Array.from({ length: 101 }, () => public_keys[1]) });
  };
  /** Of the clock that nobody can set. */
  let now = 0;
  const after = (ms: number) => {
    now = ms;
  };
  beforeEach(() => {
    now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
  });
  afterEach(() => {
    vi.mocked(performance.now).mockRestore();
  });

  it("are asked for once in ten minutes, and for an unknown id at most once a minute", async () => {
    const keyOf = publishedKeys(publisher.url);
    const asked = publisher.asked;
    const times = () => publisher.asked - asked;
    await Promise.all(Array.from({ length: 20 }, () => keyOf("current")));
    for (let i = 0; i < 20; i++) expect(await keyOf(`made up ${i}`)).toBeUndefined();
    expect(times()).toBe(1);
    after(60_000);
    for (let i = 0; i < 20; i++) await keyOf(`made up ${i}`);
    expect(await keyOf("current")).toBeDefined();
    expect(times()).toBe(2);
    after(10 * 60_000);
    await keyOf("current");
    after(11 * 60_000);
    await keyOf("current");
    expect(times()).toBe(3);
  });

  it.each([
    ["are not there", 500, "{}"],
    ["are not JSON", 200, "<html>"],
    ["are too many to read", 200, `{"public_keys":[],"x":"${"x".repeat(70_000)}"}`],
    ["are elsewhere", 302, "{}"],
    ["come with an error", 500, publisher.answer],
    ["are more than a hundred", 200, manyKeys()],
    ["are no keys", 200, '{"public_keys":[{"key_identifier":"current","key":"none"}]}'],
  ])("when they %s, reports are to come again, and known keys still hold for their time", async (_, status, answer) => {
    const keyOf = publishedKeys(publisher.url);
    await keyOf("current");
    const good = { status: publisher.status, answer: publisher.answer };
    try {
      Object.assign(publisher, { status, answer });
      after(60_000);
      await expect(keyOf("unknown")).rejects.toMatchObject({ code: "unavailable" });
      expect(await keyOf("current")).toBeDefined();
      after(10 * 60_000);
      await expect(keyOf("current")).rejects.toMatchObject({ code: "unavailable" });
    } finally {
      Object.assign(publisher, good);
    }
    after(12 * 60_000);
    expect(await keyOf("current")).toBeDefined();
  });
});
