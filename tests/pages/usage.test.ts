// Usage and Requests as a browser without scripts sees them: a member's own, and an operator's of everybody.
import { beforeAll, describe, expect, it } from "vitest";
import { mint } from "../../server/services/key-format";
import * as keys from "../../server/services/keys";
import { rollUp } from "../../server/services/usage-rollup";
import { callTool, issueKey, makeCaller, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";
import { logins } from "../support/logins";
import { testServer } from "../support/server";
import { rollUpAll, untilRecorded } from "../support/usage";
import { newVisitor } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, {}, { expected: /(\\"usage_rollups\\"|is_demo) does not exist/ });
const { logIn } = logins(database, server);

async function makeTeam(given: Parameters<typeof makeCaller>[1] = {}) {
  const caller = await makeCaller(database, given);
  return { ...caller, owner: await logIn(caller.consumer.owner) };
}
const makeOperator = async () => logIn(await makeAccount(database, { isOperator: true }));
const revoke = (id: string) => keys.revoke(database.as({ kind: "operator", accountId: null }), { id });
const idOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers["x-request-id"]);

describe("usage", () => {
  it("shows a call at once, and the same once it is rolled up", async () => {
    const { key, owner } = await makeTeam();
    await callTool(server.url, key, "list_stores", {});
    await callTool(server.url, key, "list_stores", { surprise: 1 });
    const figures = "Calls 2 1 answered Errors 1 50.0% of calls Refused 0";
    for (const count of [async () => 0, rollUp, rollUpAll]) {
      await count(database);
      const { words } = await owner.get("/console/usage");
      expect(words).toContain(figures);
      expect(words).toMatch(/list_stores Calls 2 · 100.0% Share 100.0% Errors 1 Refused 0/);
      expect(words).toContain("The arguments do not fit the tool");
    }
  });

  it("counts refusals by reason: revoked key, lacking scope, over the limit; other keys' refusals are nobody's", async () => {
    const { consumer, key, keyId, owner } = await makeTeam({ rateLimit: 1 });
    const narrow = await issueKey(database, consumer.id, { scopes: ["offers:read"] });
    expect((await callTool(server.url, narrow.value, "list_stores", {})).status).toBe(403);
    expect((await rpc(server.url, key, "ping")).status).toBe(429);
    await revoke(keyId);
    const refused = await rpc(server.url, key, "ping");
    expect(refused.status).toBe(401);
    await rpc(server.url, mint(), "ping");
    const { words } = await owner.get("/console/usage?range=1h");
    expect(words).toContain("Calls 3 0 answered Errors 0 0.0% of calls Refused 3");
    for (const reason of ["401 revoked", "403 insufficient_scope", "429 rate_limited"])
      expect(words).toMatch(new RegExp(`${reason}\\D*Calls 1 `));
    const detail = await owner.get(`/console/requests/${idOf(refused)}`);
    expect(detail.words).toContain("The key was revoked");
    expect(detail.words).toContain("To fix it: Issue a new key on the Keys page");
  });

  it("calls methods that are none of ours what they are, not a method of that name", async () => {
    const { consumer, key, owner } = await makeTeam();
    await rpc(server.url, key, "resources/list");
    await rpc(server.url, key, "prompts/list");
    const operator = await makeOperator();
    expect((await owner.get("/console/usage")).words).toContain("Other methods Calls 2");
    const { words } = await operator.get(`/admin/consumers/${consumer.slug}/usage`);
    expect(words).toContain("Other methods 24 hours 2");
  });

  it("counts calls, errors and refusals alike on every page and in every file", async () => {
    const { consumer, key, owner } = await makeTeam();
    const narrow = await issueKey(database, consumer.id, { scopes: ["offers:read"] });
    await callTool(server.url, key, "list_stores", {});
    await callTool(server.url, key, "list_stores", { surprise: 1 });
    await callTool(server.url, key, "get_store_info", { store_id: crypto.randomUUID() });
    for (let i = 0; i < 3; i++) await callTool(server.url, narrow.value, "list_stores", {});
    const operator = await makeOperator();
    const slug = consumer.slug;
    for (const count of [async () => 0, rollUp, rollUpAll]) {
      await count(database);
      expect((await owner.get("/console")).words).toContain("Answered 1Errors 2Refused 3In total");
      for (const page of [await owner.get("/console/usage"), await operator.get(`/admin/usage?consumer=${slug}`)]) {
        expect(page.words).toContain("Calls 6 1 answered Errors 2 33.3% of calls Refused 3");
        expect(page.words).toContain("Answered 1Errors 2Refused 3In total");
        expect(page.words).toMatch(/list_stores Calls 5 · 83.3% Share 83.3% Errors 1 Refused 3/);
      }
      const { words } = await operator.get(`/admin/consumers/${slug}/usage`);
      const inBoth = (what: string, figures: string) =>
        ["24 hours", "30 days"].map((range) => `${what}, ${range} ${figures}`).join(" ");
      expect(words).toContain(
        [
          inBoth("Calls", "6 1 answered"),
          inBoth("Errors", "2 33.3% of calls"),
          inBoth("Refused", "3 401, 403 and 429"),
        ].join(" "),
      );
      expect(words).toContain("Answered 1Errors 2Refused 3In total");
      const byTool = "list_stores 24 hours 5 30 days 5 · 5 in 24 h Errors 1 · 20.0% Refused 3 · 60.0%";
      expect(words).toContain(byTool);
      expect((await operator.get(`/admin/review/${slug}`)).words).toContain(byTool);
      expect((await owner.get("/console/usage.csv?by=tool&range=30d")).html).toMatch(/list_stores,,5,1,1,3,/);
    }
  });

  it("says of a platform without calls that there are none, not which share of them failed", async () => {
    const { consumer } = await makeTeam();
    const { words } = await (await makeOperator()).get(`/admin/consumers/${consumer.slug}/usage`);
    expect(words).toContain("Errors, 24 hours 0 No calls Errors, 30 days 0 No calls");
    expect(words).not.toContain("of calls");
  });

  it("says what is missing where nothing was called, for every range and any nonsense in the address", async () => {
    const { owner } = await makeTeam();
    for (const range of ["1h", "24h", "7d", "30d", "90d", "nonsense"]) {
      const page = await owner.get(`/console/usage?range=${range}`);
      expect(page.status).toBe(200);
      expect(page.words).toContain("No calls in the last ");
    }
  });

  it("says of which day each hour of a week is: a week ago it was the same weekday", async () => {
    const { key, owner } = await makeTeam();
    await rpc(server.url, key, "ping");
    await untilRecorded(database);
    const { html } = await owner.get("/console/usage?range=7d");
    const hours = [...html.matchAll(/<th[^>]* scope="row">([^<]+)<\/th>/g)].map(([, label]) => label!);
    const times = hours.filter((label) => label.includes(":00"));
    expect(times).toHaveLength(7 * 24);
    expect(times.filter((label) => !/^\d{1,2} [A-Z][a-z]{2,3}, \d\d:00$/.test(label))).toEqual([]);
  });

  it("exports each table as CSV, in which nothing runs as a formula", async () => {
    const { consumer, key, owner } = await makeTeam();
    const evil = '=HYPERLINK("http://evil.example","x")';
    await rpc(server.url, key, "ping", undefined, { headers: { "user-agent": evil } });
    const byClient = await owner.get("/console/usage.csv?by=client&range=1h");
    expect(byClient.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(byClient.headers.get("content-disposition")).toBe(
      `attachment; filename="aisle-usage-${consumer.slug}-client-1h.csv"`,
    );
    expect(byClient.html).toMatch(/^client,name,calls,answered,errors,refused,p50_ms,p95_ms\r\n"'=HYPERLINK/);
    const overTime = await owner.get("/console/usage.csv?range=7d");
    const lines = overTime.html.trim().split("\r\n");
    expect(lines).toHaveLength(1 + 7 * 24);
    // In the last hour, or in the one before where an hour has ended since.
    expect(lines.slice(-2).filter((line) => !line.includes("Z,0,"))).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z,1,1,0,0,[\d.]+,[\d.]+$/),
    ]);
    for (const by of ["tool", "store", "key", "locale", "error", "nonsense"]) {
      expect((await owner.get(`/console/usage.csv?by=${by}`)).status).toBe(200);
    }
  });

  it("is each consumer's own: another tenant sees none of it", async () => {
    const [one, other] = [await makeTeam(), await makeTeam()];
    await callTool(server.url, one.key, "list_stores", {});
    expect((await other.owner.get("/console/usage")).words).toContain("No calls");
    expect((await newVisitor(server.url).get("/console/usage.csv")).status).toBe(302);
  });
});

describe("requests", () => {
  it("lists them newest first, and filters by id, tool, outcome, code, key and time", async () => {
    const { key, keyId, owner } = await makeTeam();
    const listed = await callTool(server.url, key, "list_stores", {});
    const failed = await callTool(server.url, key, "get_product", { surprise: 1 });
    const short = (reply: Parameters<typeof idOf>[0]) => `…${idOf(reply).slice(-8)}`;
    const { words: all, html } = await owner.get("/console/requests");
    // Calls of one tool are told apart by those who hear the links alone.
    for (const reply of [listed, failed])
      expect(html).toMatch(new RegExp(`, request ending in (?:<!-- -->)?${idOf(reply).slice(-8)}`));
    expect(all.indexOf(short(failed))).toBeGreaterThan(0);
    expect(all.indexOf(short(failed))).toBeLessThan(all.indexOf(short(listed)));
    const minuteFrom = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 16);
    const cases: [query: string, sees: unknown, sees_not: unknown][] = [
      [`id=${idOf(listed)}`, listed, failed],
      ["tool=list_stores", listed, failed],
      ["outcome=answered", listed, failed],
      ["outcome=error", failed, listed],
      ["outcome=failed&code=invalid_arguments", failed, listed],
    ];
    for (const [query, sees, seesNot] of cases) {
      const { words } = await owner.get(`/console/requests?${query}`);
      expect(words, query).toContain(short(sees as typeof listed));
      expect(words, query).not.toContain(short(seesNot as typeof listed));
    }
    const has = async (query: string) => (await owner.get(`/console/requests?${query}`)).words.includes(short(listed));
    expect(await has(`key=${keyId}`)).toBe(true);
    expect(await has(`key=${crypto.randomUUID()}`)).toBe(false);
    expect(await has(`from=${minuteFrom(-120_000)}&to=${minuteFrom(120_000)}`)).toBe(true);
    expect(await has(`to=${minuteFrom(-120_000)}`)).toBe(false);
    expect((await owner.get("/console/requests?outcome=500")).words).toContain("No request matches");
  });

  it("says so where an id or a time means nothing", async () => {
    const { owner } = await makeTeam();
    expect((await owner.get("/console/requests?id=abc")).words).toContain("A request id has 36 characters");
    const swapped = await owner.get("/console/requests?from=2026-02-01T00:00&to=2026-01-01T00:00");
    expect(swapped.words).toContain("“From” must be before “to”.");
    const noDay = await owner.get("/console/requests?from=2026-02-30T10:00&tool=search_products");
    expect(noDay.words).toContain("Enter a day and a time.");
    for (const typed of ["2026-02-30T10:00", "search_products"]) expect(noDay.html).toContain(`value="${typed}"`);
  });

  it("pages through all of them, forth and back, each once", async () => {
    const { consumer, key, owner } = await makeTeam();
    for (let i = 0; i < 120; i += 20) await Promise.all(Array.from({ length: 20 }, () => rpc(server.url, key, "ping")));
    const idsOn = (html: string) =>
      [...html.matchAll(/href="\/console\/requests\/([0-9a-f-]{36})"/g)].map(([, id]) => id!);
    const step = (html: string, word: string) =>
      [...html.matchAll(/<a[^>]*href="([^"]*cursor=[^"]*)"[^>]*>(.*?)<\/a>/gs)]
        .find(([, , inner]) => inner!.includes(word))?.[1]
        ?.replaceAll("&amp;", "&");
    const pages: string[][] = [];
    let html = (await owner.get("/console/requests")).html;
    for (;;) {
      pages.push(idsOn(html));
      const next = step(html, "Next");
      if (!next) break;
      html = (await owner.get(next)).html;
    }
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
    // Ids are given when the headers have come, times when the body has: requests that come at once may have them in two orders.
    const rows = await database.sql<{ request_id: string }[]>`
      select request_id from usage_events where consumer_id = ${consumer.id} order by at desc, request_id desc`;
    expect(pages.flat()).toEqual(rows.map((row) => row.request_id));
    html = (await owner.get(step(html, "Previous")!)).html;
    expect(idsOn(html)).toEqual(pages[1]);
    html = (await owner.get(step(html, "Previous")!)).html;
    expect(idsOn(html)).toEqual(pages[0]);
    expect(step(html, "Previous")).toBeUndefined();
  });

  it("has a page for each: what was asked, without secrets, and what was said", async () => {
    const { key, owner } = await makeTeam();
    const reply = await callTool(server.url, key, "search_products", {
      query: `tent for ada@example.com ${key}`,
      limit: 900,
      password: "hunter2",
    });
    const page = await owner.get(`/console/requests/${idOf(reply)}`);
    expect(page.words).toContain("tent for [email] [key]");
    expect(page.words).toContain("What the caller was told The arguments do not fit search_products");
    for (const secret of ["hunter2", "ada@example.com", key]) expect(page.html).not.toContain(secret);
    const [kept] =
      await database.sql`select arguments::text as text from request_arguments where request_id = ${idOf(reply)}`;
    expect(kept!.text).not.toMatch(/hunter2|ada@|aisle_/);
  });

  it("is run again in the Playground, where all that was asked is kept", async () => {
    const { key, owner } = await makeTeam();
    const page = async (args: object) =>
      (await owner.get(`/console/requests/${idOf(await callTool(server.url, key, "search_products", args))}`)).html;
    const link = /href="(\/console\/playground[^"]+)"[^>]*>(?:(?!<\/a>).)*Run in the Playground/;
    const [, again] = link.exec(await page({ query: "tent", limit: 2 }))!;
    const { searchParams } = new URL(again!.replaceAll("&amp;", "&"), server.url);
    expect(searchParams.get("tool")).toBe("search_products");
    expect(JSON.parse(searchParams.get("arguments")!)).toEqual({ query: "tent", limit: 2 });
    expect(searchParams.has("asDirectory")).toBe(false);
    for (const changed of [
      { query: "tent", store_ids: Array.from({ length: 60 }, () => crypto.randomUUID()) },
      { query: `tent ${key}` },
      { query: "4111 1111 1111 1111" },
      { query: "ada@example.com" },
      { query: "tent ".repeat(80) },
      { query: "tent", store_ids: Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => "y".repeat(299))) },
    ])
      expect(await page(changed), JSON.stringify(changed).slice(0, 60)).not.toMatch(link);
  });

  it("is run again as the directory endpoint answers, where it came there", async () => {
    const { owner } = await makeTeam({ state: "production", directorySlug: "asked-again" });
    const call = { name: "list_stores", arguments: {} };
    const asked = await rpc(server.url, undefined, "tools/call", call, { path: "/api/mcp/p/asked-again" });
    const { html } = await owner.get(`/console/requests/${idOf(asked)}`);
    expect(html).toMatch(/href="\/console\/playground\?tool=list_stores&amp;arguments=%7B%7D&amp;asDirectory=on"/);
  });

  it("is each consumer's own: another tenant finds none by its id", async () => {
    const [one, other] = [await makeTeam(), await makeTeam()];
    const reply = await callTool(server.url, one.key, "list_stores", {});
    const page = await other.owner.get(`/console/requests/${idOf(reply)}`);
    expect(page.status).toBe(404);
    expect(page.html).toContain("<title>Not found · Aisle</title>");
    expect(page.words).toContain("There is no such request Requests are kept for 90 days.");
    expect(page.html).toMatch(/<a[^>]* href="\/console\/requests"[^>]*>(<!-- -->)?Go to (<!-- -->)?Requests/);
    // Nor does the page tell it from one that never was.
    const never = await other.owner.get(`/console/requests/${crypto.randomUUID()}`);
    expect(never.words).toBe(page.words);
    expect((await other.owner.get(`/console/requests?id=${idOf(reply)}`)).words).toContain("No request matches");
  });

  it("has no page at an id that no request can have, for members and operators", async () => {
    const [{ owner }, operator] = [await makeTeam(), await makeOperator()];
    for (const mistyped of ["none", crypto.randomUUID().slice(1), "a%20b", "x".repeat(2000)]) {
      for (const page of [
        await owner.get(`/console/requests/${mistyped}`),
        await operator.get(`/admin/requests/${mistyped}`),
      ]) {
        expect(page.status, mistyped).toBe(404);
        expect(page.html).toContain("<title>Not found · Aisle</title>");
        expect(page.words).toMatch(/There is no such request Requests are kept for 90 days.+ its id mistyped\./);
      }
    }
  });

  it("may have been refused before it counted, where nothing is kept under an id that we gave out", async () => {
    const { key, owner } = await makeTeam();
    const refused = await rpc(server.url, key, "tools/list", undefined, { headers: { Accept: "*/*" } });
    expect(refused.status).toBe(406);
    for (const page of [
      await owner.get(`/console/requests/${idOf(refused)}`),
      await (await makeOperator()).get(`/admin/requests/${idOf(refused)}`),
    ])
      expect(page.words).toContain("refused before it counted");
  });

  it("says of one that was interrupted what is known, and nothing else", async () => {
    const { key, owner } = await makeTeam();
    const requestId = idOf(await callTool(server.url, key, "list_stores", {}));
    await untilRecorded(database);
    await database.sql`delete from request_arguments where request_id = ${requestId}`;
    // As `recordInterrupted` leaves it.
    await database.sql`
      update usage_events set status = 500, error_code = 'interrupted', latency_us = 0, request_bytes = 0, response_bytes = 0,
        client_name = null where request_id = ${requestId}`;
    const [own, operators] = [
      await owner.get(`/console/requests/${requestId}`),
      await (await makeOperator()).get(`/admin/requests/${requestId}`),
    ];
    expect(own.words).toContain("Unknown: the request was interrupted before they were recorded.");
    const logged = await owner.get("/console/requests");
    const doctor = await owner.get(`/console/doctor?request=${requestId}`);
    for (const { words } of [own, operators, doctor]) expect(words).toContain("The request was interrupted");
    for (const { words } of [own, operators, logged]) expect(words).toContain("Interrupted");
    for (const { words } of [own, operators, logged, doctor])
      expect(words).not.toMatch(
        /no arguments|Took \d|took \d|\b0(\.0)? (ms|B)\b|Sent and received|Failed|500 interrupted|Not given|Refused:/,
      );
    expect((await owner.get("/console/requests?outcome=interrupted")).html).toContain(requestId);
    expect((await owner.get("/console/requests?outcome=500")).words).toContain("No request matches");
  });

  it("says how many things were asked for, and how many of those are not kept", async () => {
    const { key, owner } = await makeTeam();
    const reply = await callTool(server.url, key, "lookup_products", {
      ids: Array.from({ length: 26 }, () => crypto.randomUUID()),
      ...Object.fromEntries(Array.from({ length: 23 }, (_, i) => [`extra_${i}`, i])),
    });
    const { words } = await owner.get(`/console/requests/${idOf(reply)}`);
    expect(words).toContain("[ ] 26 items");
    expect(words).toContain("… 6 more, not kept");
    expect(words).toContain("{ } 24 keys");
    expect(words).toContain("… 4 more, not kept");
    expect(words).not.toMatch(/21 (items|keys)|\d more\]/);
  });
});

describe("operators", () => {
  let operator: Awaited<ReturnType<typeof makeOperator>>;
  beforeAll(async () => {
    operator = await makeOperator();
  });

  it("see everybody's usage, by consumer, and one consumer's", async () => {
    const { consumer, key } = await makeTeam({ name: "Trail Guide" });
    await callTool(server.url, key, "list_stores", {});
    await callTool(server.url, key, "check_inventory", {});
    const all = await operator.get("/admin/usage");
    expect(all.words).toContain("Across all consumers.");
    expect(all.words).toContain(`Trail Guide${consumer.slug}`);
    expect(all.html).toContain(`href="/admin/usage?consumer=${consumer.slug}&amp;range=24h"`);
    expect(all.words).toContain("grant it on the platform's page");
    expect(all.words).not.toMatch(/ask the operator|Keys page|send us/);
    const csv = await operator.get("/admin/usage.csv?by=consumer&range=1h");
    expect(csv.headers.get("content-disposition")).toBe(
      'attachment; filename="aisle-usage-all-platforms-consumer-1h.csv"',
    );
    expect(csv.html).toContain(`${consumer.id},Trail Guide,${consumer.slug},2,1,0,1,`);
    const one = (await operator.get(`/admin/usage?consumer=${consumer.slug}`)).words;
    expect(one).toContain(`Of Trail Guide · ${consumer.slug}`);
    expect(one).toContain("Calls 2 1 answered");
    for (const page of ["/admin/usage", "/admin/requests"]) {
      for (const slug of ["nobody", "longer-than-any-slug".repeat(10)]) {
        const unknown = await operator.get(`${page}?consumer=${slug}`);
        expect([unknown.status, unknown.words]).toEqual([200, expect.stringContaining("There is no such consumer.")]);
        expect(unknown.html).toContain(`value="${slug}"`);
      }
    }
  });

  it("see everybody's requests, but not what was asked", async () => {
    const { consumer, key } = await makeTeam({ name: "Trail Guide" });
    const reply = await callTool(server.url, key, "search_products", { query: "something private" });
    const list = await operator.get(`/admin/requests?consumer=${consumer.slug}&tool=search_products`);
    expect(list.words).toContain(`…${idOf(reply).slice(-8)}`);
    // By name, as everywhere; the slug, which the filter takes, is not far.
    expect(list.words).toMatch(/Consumer Trail ?Guide/);
    expect(list.html).toContain(`title="${consumer.slug}"`);
    expect(list.html).toContain(`href="/admin/requests?consumer=${consumer.slug}"`);
    const page = await operator.get(`/admin/requests/${idOf(reply)}`);
    expect(page.words).toContain(`Consumer Trail Guide ${consumer.slug}`);
    expect(page.html).not.toContain("something private");
  });

  it("find by its request id what is known of a page or a call that failed on our side", async () => {
    const { key, owner } = await makeTeam();
    // A function that every report needs goes away for a moment: pages fail as they would by a mistake of ours.
    await database.sql`alter table usage_rollups rename to hidden`;
    const failed = await owner
      .get("/console/usage")
      .finally(() => database.sql`alter table hidden rename to usage_rollups`);
    expect(failed.status).toBe(500);
    const requestId = failed.headers.get("x-request-id")!;
    expect(failed.words).toContain(requestId);
    await expect.poll(async () => (await operator.get(`/admin/requests/${requestId}`)).words).toContain("What failed");
    const { words } = await operator.get(`/admin/requests/${requestId}`);
    expect(words).toContain("Where /console/usage");
    expect(words).toContain('relation "usage_rollups" does not exist');
    expect((await operator.get("/admin/requests")).words).toContain(`…${requestId.slice(-8)}`);

    await database.sql`alter table stores rename column is_demo to hidden`;
    const call = await callTool(server.url, key, "list_stores", {}).finally(
      () => database.sql`alter table stores rename column hidden to is_demo`,
    );
    expect(call.status).toBe(500);
    await expect.poll(async () => (await operator.get(`/admin/requests/${idOf(call)}`)).words).toContain("What failed");
    expect((await owner.get(`/console/requests/${idOf(call)}`)).words).toContain("Something failed on our side");
    expect((await operator.get(`/admin/requests/${crypto.randomUUID()}`)).status).toBe(404);
  });

  it("alone: neither page is for members", async () => {
    const { owner } = await makeTeam();
    for (const path of ["/admin/usage", "/admin/requests", "/admin/usage.csv"]) {
      expect((await owner.get(path)).status, path).toBe(403);
      expect((await operator.get(path.replace("admin", "console"))).status, path).toBeGreaterThan(300);
    }
  });
});
