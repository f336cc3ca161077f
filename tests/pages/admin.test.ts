// The operators' desk as a browser without scripts sees it: pages by GET, forms by POST.

import { and, eq } from "drizzle-orm";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { consumers, members } from "../../db/schema/consumers";
import { blocks } from "../../db/schema/merchants";
import { tools } from "../../server/tools";
import { callTool, issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { testServer } from "../support/server";
import { newVisitor, type Page } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const { logIn } = logins(database, server);

const makeOperator = async () => logIn(await makeAccount(database, { isOperator: true, name: "Olwen Price" }));
const rowOf = async (id: string) => (await database.db.select().from(consumers).where(eq(consumers.id, id)))[0]!;
/** The version that a page's forms carry. */
const versionIn = (page: Page) => /name="version"[^>]*value="(\d+)"/.exec(page.html)![1]!;
/** The version that the form of this intent carries. */
const formVersion = (page: Page, intent: string) =>
  new RegExp(`<form(?:(?!</form>).)*value="${intent}"(?:(?!</form>).)*?name="version"[^>]*value="(\\d*)"`, "s").exec(
    page.html,
  )![1]!;
const production = {
  intent: "approve-production",
  coverage: "default_on",
  "scopes[]": "catalog:read",
  rateLimit: "900",
  maxKeys: "4",
  utmSource: "",
  directorySlug: "",
};

describe("the desk", () => {
  it("is for operators; everybody else is refused, and a stranger logs in first", async () => {
    const { owner } = await makeConsumer(database);
    const paths = [
      "/admin",
      "/admin/consumers",
      "/admin/consumers/demo",
      "/admin/review/demo",
      "/admin/consumers/demo/keys",
      "/admin/consumers/demo/coverage",
    ];
    const member = await logIn(owner);
    for (const path of paths) {
      const refused = await member.get(path);
      expect(refused.status, path).toBe(403);
      expect(refused.words).toContain("Log out to use another account");
      expect(refused.html).toContain('action="/logout"');
      expect((await newVisitor(server.url).get(path)).status, path).toBe(302);
    }
    const operator = await makeOperator();
    for (const path of paths) expect((await operator.get(path)).status, path).toBe(200);
    for (const path of ["", "/coverage", "/coverage?view=ended&q=tent"])
      expect((await operator.get(`/admin/consumers/nobody${path}`)).status, path).toBe(404);
  });
});

describe("an application", () => {
  it("waits in the queue with how the domain rule judged, and is approved from its page", async () => {
    const operator = await makeOperator();
    await database.sql`update consumers set state = 'sandbox' where state in ('under_review', 'production_requested')`;
    expect((await operator.get("/admin")).words).toContain("Nothing to review");
    const consumer = await makeConsumer(database, { state: "under_review", name: "Trail Guide" });
    const queue = await operator.get("/admin");
    expect(queue.words).toMatch(/Trail Guide.* Asks for Sandbox .* Free mail .* 1,000/);
    const path = `/admin/review/${consumer.slug}`;
    const page = await operator.get(path);
    expect(page.words).toContain("Answers shoppers' questions.");
    expect(page.words).toContain(`Website's domain ${consumer.slug}.example`);
    expect(page.words).toContain("No calls yet It has made none in the 90 days that are kept.");
    expect(page.html).not.toContain(`/admin/requests?consumer=${consumer.slug}`);
    // Nothing was done to it yet: there is no history to show.
    expect(page.words).not.toContain("See full history");
    const answer = await operator.post(path, { intent: "approve-sandbox", version: versionIn(page) });
    expect(answer).toMatchObject({ status: 302, location: `${path}?done=approve-sandbox` });
    const { words: decided, html } = await operator.get(answer.location!);
    expect(html).toContain("Approved for sandbox");
    expect(decided).toContain("Olwen Price approved the application");
    expect(decided).toContain("See full history");
    expect((await rowOf(consumer.id)).state).toBe("sandbox");
  });
});

describe("an application that its owner changes while it is read", () => {
  it("is approved from its page once the change was shown", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review" });
    const path = `/admin/review/${consumer.slug}`;
    const readIn = (page: Page) => /name="applicationUpdatedAt"[^>]*value="([^"]+)"/.exec(page.html)![1]!;
    const approve = (page: Page) =>
      operator.post(path, {
        intent: "approve-sandbox",
        version: versionIn(page),
        applicationUpdatedAt: readIn(page),
      });
    const page = await operator.get(path);
    await database.sql`
      update applications set company = 'Quokka Ltd', updated_at = now() where consumer_id = ${consumer.id}`;
    const late = await approve(page);
    expect([late.status, late.words]).toEqual([409, expect.stringContaining("Quokka Ltd")]);
    expect(await approve(late)).toMatchObject({ status: 302, location: `${path}?done=approve-sandbox` });
  });
});

describe("a rejection", () => {
  it("speaks of an application where there was no access yet, and of access where there is", async () => {
    const operator = await makeOperator();
    const said = async (state: "under_review" | "sandbox") => {
      const { slug } = await makeConsumer(database, { state, name: "Trail Guide" });
      return (await operator.get(`/admin/consumers/${slug}?dialog=reject`)).words;
    };
    const [application, access] = [await said("under_review"), await said("sandbox")];
    expect(application).toContain("Reject the application of “Trail Guide”? It gets no keys.");
    expect(application).not.toContain("Revoke");
    expect(access).toContain("Revoke the access of “Trail Guide”? Every key is refused");
  });

  it("is told as what it was on the page of the decision", async () => {
    const operator = await makeOperator();
    const said = async (state: "under_review" | "production_requested") => {
      const { slug } = await makeConsumer(database, { state });
      const form = { intent: "reject", version: "1", reason: "The website does not answer." };
      return (await operator.get((await operator.post(`/admin/review/${slug}`, form)).location!)).words;
    };
    const owners = "Its owners see the reason on Overview and by email.";
    expect(await said("under_review")).toContain(`The application has been rejected ${owners}`);
    expect(await said("production_requested")).toContain(`Access has been revoked ${owners}`);
  });

  it("of an application is never called access that was taken, nor its return access given back", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review", name: "Trail Guide" });
    const detail = `/admin/consumers/${consumer.slug}`;
    const version = versionIn(await operator.get(`${detail}?dialog=reject`));
    const reason = "The website does not answer.";
    const rejected = await operator.post(`${detail}?index`, { intent: "reject", version, reason });
    const page = await operator.get(rejected.location!);
    expect(page.words).toContain(`The application is rejected Reason: ${reason} Once restored, it returns to review.`);
    expect(page.words).toContain("Trail Guide Rejected");
    expect(page.words).not.toMatch(/access is revoked|restore access/i);
    expect((await operator.get(`/admin/review/${consumer.slug}`)).words).toContain(
      "Olwen Price rejected the application",
    );
    const owner = await logIn(consumer.owner);
    for (const path of ["/console", "/console/keys", "/console/coverage", "/console/playground"]) {
      const { words } = await owner.get(path);
      expect(words, path).toContain("The application was rejected");
      expect(words, path).not.toMatch(/access was revoked/i);
    }
    const restored = await operator.post(`${detail}?index`, { intent: "restore", version: versionIn(page) });
    const { words } = await operator.get(restored.location!);
    expect(words).toContain("The application has been restored It is back in review.");
    expect(words).toContain("Its application is waiting for a decision");
  });
});

describe("a request for production", () => {
  it("is approved with what the form says; the key reads the stores, and a second operator is told", async () => {
    const [one, two] = [await makeOperator(), await makeOperator()];
    const consumer = await makeConsumer(database, { state: "production_requested", rateLimit: 1000 });
    const { value: key } = await issueKey(database, consumer.id);
    await callTool(server.url, key, "search_products", { query: "tent" });
    const path = `/admin/review/${consumer.slug}`;
    const page = await one.get(path);
    expect(page.words).toContain("search_products 24 hours 1 30 days 1 · 1 in 24 h Errors 0");
    expect(page.html).toContain(`value="${consumer.slug}"`);
    const version = versionIn(page);

    const refused = await one.post(path, {
      ...production,
      version,
      rateLimit: "",
      maxKeys: "",
      directorySlug: "Acme Shop",
    });
    expect(refused.status).toBe(400);
    for (const said of [
      "Enter the requests per minute, as a whole number.",
      "Enter how many keys, as a whole number.",
      "Enter the platform's utm_source.",
      "Use lower-case words and numbers",
    ]) {
      expect(refused.words).toContain(said);
    }
    expect(refused.html).toContain('value="Acme Shop"');
    // What it was decided on stays what the page showed at first.
    await database.db.update(consumers).set({ version: 7 }).where(eq(consumers.id, consumer.id));
    const mistyped = await one.post(path, { ...production, version, rateLimit: "" });
    expect(formVersion(mistyped, "approve-production")).toBe(version);
    const reasonless = await one.post(`${path}?dialog=decline`, { intent: "decline", version, reason: "" });
    expect(formVersion(reasonless, "decline")).toBe(version);
    await database.db
      .update(consumers)
      .set({ version: Number(version) })
      .where(eq(consumers.id, consumer.id));

    const taken = await one.post(path, { ...production, version, utmSource: "aisle_sandbox" });
    expect(taken.words).toContain("This is the sandbox's. Choose a different one.");

    const fields = { ...production, version, utmSource: "acme.ai", directorySlug: `${consumer.slug}-apps` };
    expect(await one.post(path, fields)).toMatchObject({ status: 302, location: `${path}?done=approve-production` });
    const late = await two.post(path, { intent: "decline", version, reason: "Not yet." });
    expect(late.status).toBe(409);
    expect(late.words).toMatch(
      /Olwen Price approved production access on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d UTC, so nothing was changed/,
    );

    expect(await rowOf(consumer.id)).toMatchObject({
      state: "production",
      rateLimit: 900,
      maxKeys: 4,
      scopes: ["catalog:read"],
    });
    const { words } = await one.get(`/admin/consumers/${consumer.slug}/history`);
    expect(words).toMatch(/Requests per minute: 1,000 ?→ 900/);
    const { json } = await callTool(server.url, key, "search_products", { query: "tent", limit: 20 });
    const products = json.result.structuredContent.products as { store_name: string; product_url: string }[];
    expect(new Set(products.map(({ store_name }) => store_name)).size).toBeGreaterThan(1);
    for (const { product_url } of products) expect(product_url).toContain("utm_source=acme.ai&");
    const [notified] =
      await database.sql`select count(*)::int as n from notifications where consumer_id = ${consumer.id}`;
    expect(notified!.n).toBe(3);
  });

  it("is declined with a reason, which the developer's Overview shows; then asked for again", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production_requested" });
    const path = `/admin/review/${consumer.slug}`;
    const dialog = await operator.get(`${path}?dialog=decline`);
    expect(dialog.words).toContain(`Decline production access for “${consumer.name}”?`);
    const version = versionIn(dialog);
    const empty = await operator.post(`${path}?dialog=decline`, { intent: "decline", version, reason: " " });
    expect(empty.status).toBe(400);
    expect(empty.words).toContain("Give a reason: the developer sees it.");
    const reason = "Links lose their parameters.";
    expect((await operator.post(`${path}?dialog=decline`, { intent: "decline", version, reason })).status).toBe(302);
    const owner = await logIn(consumer.owner);
    const overview = await owner.get("/console");
    expect(overview.words).toContain(`Production access was declined ${reason}`);
    expect(overview.words.split(reason)).toHaveLength(2);
    expect(overview.words).toContain("An owner can edit the application and ask again.");
  });

  it("takes a reason of as many characters as its field, in lines that a browser without scripts breaks by two", async () => {
    const operator = await makeOperator();
    const reason = "A line of it.\n".repeat(143).slice(0, 2000).replace(/.$/s, "!");
    const sent = reason.replaceAll("\n", "\r\n");
    for (const [state, place] of [
      ["production_requested", "review"],
      ["sandbox", "consumers"],
    ] as const) {
      const { id, slug } = await makeConsumer(database, { state });
      const path = `/admin/${place}/${slug}${place === "consumers" ? "?index" : ""}`;
      const answer = await operator.post(path, { intent: "reject", version: "1", reason: sent });
      expect(answer.status, place).toBe(302);
      expect((await rowOf(id)).decisionReason, place).toBe(reason);
    }
  });

  it("is rejected with a reason: the key gets 401 and Overview says why; then access is restored", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production_requested" });
    const { value: key } = await issueKey(database, consumer.id);
    const path = `/admin/review/${consumer.slug}`;
    const version = versionIn(await operator.get(`${path}?dialog=reject`));
    await operator.post(`${path}?dialog=reject`, { intent: "reject", version, reason: "Prices were altered." });
    expect((await rpc(server.url, key, "ping")).status).toBe(401);
    const owner = await logIn(consumer.owner);
    expect((await owner.get("/console")).words).toContain("Access was revoked Prices were altered.");

    const detail = `/admin/consumers/${consumer.slug}`;
    const revoked = await operator.get(detail);
    expect(revoked.words).toContain("Access is revoked Reason: Prices were altered.");
    const restored = await operator.post(`${detail}?index`, { intent: "restore", version: versionIn(revoked) });
    expect(restored).toMatchObject({ status: 302, location: `${detail}?done=restore` });
    expect((await operator.get(restored.location!)).words).toContain("Access has been restored, as it was");
    expect((await rpc(server.url, key, "ping")).status).toBe(200);
  });

  it("that was declined says so, and why, on Overview again once access is restored, and the restoring has no reason", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production_requested" });
    const [path, detail] = [`/admin/review/${consumer.slug}`, `/admin/consumers/${consumer.slug}`];
    for (const [page, to, intent, reason] of [
      [path, path, "decline", "Links are missing."],
      [`${detail}?dialog=reject`, `${detail}?index`, "reject", "By mistake."],
      [detail, `${detail}?index`, "restore", ""],
    ] as const) {
      const version = versionIn(await operator.get(page));
      expect((await operator.post(to, { intent, version, ...(reason && { reason }) })).status, intent).toBe(302);
    }
    const { words } = await (await logIn(consumer.owner)).get("/console");
    expect(words).toContain("Production access was declined Links are missing.");
    expect((await operator.get(path)).words).toContain("Olwen Price restored access just now Back to the queue");
  });
});

describe("consumers", () => {
  it("are said to have come where they stand as they did: what they came back to is not told as new", async () => {
    const operator = await makeOperator();
    async function enters(state: "production" | "production_requested" | "under_review", ...intents: string[]) {
      const { slug } = await makeConsumer(database, { state });
      const [detail, decision] = [`/admin/consumers/${slug}`, `/admin/review/${slug}`];
      for (const intent of intents) {
        const version = versionIn(await operator.get(intent === "decline" ? decision : `${detail}?dialog=reject`));
        const to = intent === "decline" ? decision : `${detail}?index`;
        expect((await operator.post(to, { intent, version, reason: "Not yet." })).status).toBe(302);
      }
      return Promise.all([detail, decision].map(async (path) => (await operator.get(path)).words));
    }
    const told: [words: string, pages: string[]][] = [
      ["Went to production just now", await enters("production")],
      ["Access revoked just now", await enters("production", "reject")],
      ["Access restored just now", await enters("production", "reject", "restore")],
      ["Application restored just now", await enters("under_review", "reject", "restore")],
      ["Production access declined just now", await enters("production_requested", "decline")],
    ];
    for (const [words, pages] of told) for (const page of pages) expect(page).toContain(words);
  });

  it("read no store before they are approved, nor once their access was revoked", async () => {
    const operator = await makeOperator();
    for (const [given, words] of [
      [{ state: "under_review" }, "Under review None"],
      [{ state: "sandbox" }, "Sandbox Demo store"],
      [{ state: "revoked", revokedFrom: "production" }, "Revoked None"],
    ] as const) {
      const { slug } = await makeConsumer(database, given);
      const { words: said } = await operator.get(`/admin/consumers?q=${slug}`);
      expect(said.replace(/(State|Coverage) /g, "")).toContain(words);
    }
  });

  it("are found by name, slug, company and email, and narrowed by state and coverage", async () => {
    const operator = await makeOperator();
    const name = `Quokka ${Date.now()}`;
    const consumer = await makeConsumer(database, { name, state: "production", coverage: "explicit" });
    await makeConsumer(database, { name: `${name} Two` });
    const find = async (query: Record<string, string>) =>
      (await operator.get(`/admin/consumers?${new URLSearchParams(query)}`)).words;
    for (const q of [name, name.toLowerCase(), consumer.slug, consumer.owner.email]) {
      expect(await find({ q }), q).toContain(`${name}${consumer.slug}`);
    }
    expect(await find({ q: name })).toContain("2 consumers");
    expect(await find({ q: name, state: "production", coverage: "explicit" })).toContain("1 consumer");
    // Of a sandbox the list says "Demo store", whatever it will read in production.
    await makeConsumer(database, { name: `${name} Three`, coverage: "explicit" });
    expect(await find({ q: name, coverage: "explicit" })).toContain("1 consumer");
    expect(await find({ q: name, state: "revoked" })).toContain("No consumers match");
    // What a pattern would mean means itself here.
    expect(await find({ q: "%" })).toContain("No consumers match");
  });

  it("are walked by pages, there and back", async () => {
    const operator = await makeOperator();
    const prefix = `Page ${Date.now()}`;
    for (let i = 0; i < 51; i++) await makeConsumer(database, { name: `${prefix} ${String(i).padStart(2, "0")}` });
    const linkOf = (page: Page, label: string) =>
      new RegExp(`<a[^>]*href="([^"]*)"[^>]*>(?:(?!</a>).)*${label}`, "s")
        .exec(page.html)?.[1]
        ?.replaceAll("&amp;", "&");
    const first = await operator.get(`/admin/consumers?q=${encodeURIComponent(prefix)}`);
    expect(first.words).toContain(`${prefix} 49`);
    expect(first.words).not.toContain(`${prefix} 50`);
    const second = await operator.get(linkOf(first, "Next")!);
    expect(second.words).toContain(`${prefix} 50`);
    expect(second.words).not.toContain(`${prefix} 49`);
    expect((await operator.get(linkOf(second, "Previous")!)).words).toContain(`${prefix} 00`);
  });
});

describe("a consumer's coverage", () => {
  it("shows an operator what its members see: reasons, a search, and what ended without a word of why", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { name: "Trail Guide", state: "production" });
    const owner = await logIn(consumer.owner);
    const store = await makeStore(database, { name: "Zebra & Zinc", country: "NZ" });
    const path = `/admin/consumers/${consumer.slug}/coverage`;
    const tableIn = ({ html }: Page) => /<table.*<\/table>/s.exec(html)?.[0];
    const seen = await operator.get(path);
    expect(seen.words).toContain("Default-on coverage: Trail Guide reads every store");
    expect(seen.words).toMatch(/Zebra & Zinc.* Default-on .*New Zealand/);
    expect(tableIn(seen)).toBe(tableIn(await owner.get("/console/coverage")));
    expect((await operator.get(`${path}?q=zinc`)).words).not.toContain("Tarn & Timber");
    const { words } = await operator.get(`${path}?view=ended`);
    expect(words).toContain("No ended stores A store that can no longer be read is listed here");

    await database.db.insert(blocks).values({ consumerId: consumer.id, storeId: store.id });
    expect((await operator.get(`${path}?q=zinc`)).words).toContain("No store matches");
    const ended = await operator.get(`${path}?view=ended`);
    expect(ended.words).toMatch(/Zebra & Zinc .*New Zealand .*just now/);
    expect(ended.words).not.toMatch(/blocked|withdr|AI Discovery/i);
    expect(tableIn(ended)).toBe(tableIn(await owner.get("/console/coverage?view=ended")));
  });

  it("is read only, and says in each state what it is", async () => {
    const operator = await makeOperator();
    const said = async (given: Parameters<typeof makeConsumer>[1]) => {
      const { slug } = await makeConsumer(database, given);
      const page = await operator.get(`/admin/consumers/${slug}/coverage`);
      expect(page.html).not.toMatch(/<form[^>]*method="post"[^>]*action="\/admin/);
      return page.words;
    };
    expect(await said({})).toMatch(/In sandbox, only the demo store\..*Tarn & Timber/);
    expect(await said({ state: "production", coverage: "explicit" })).toContain("Explicit coverage");
    expect(await said({ state: "under_review" })).toContain("No readable store The demo store is listed here as soon");
    const revoked = { state: "revoked", revokedFrom: "production" } as const;
    expect(await said(revoked)).toMatch(/None: access was revoked\..*No readable store/);
    expect(await said({ ...revoked, revokedFrom: "under_review" })).toContain("None: the application was rejected.");
  });
});

describe("a consumer's access", () => {
  it("shows how much of its limits is used, and which terms were accepted", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { rateLimit: 60, maxKeys: 3 });
    const { value: key } = await issueKey(database, consumer.id);
    const path = `/admin/consumers/${consumer.slug}`;
    const unused = (await operator.get(path)).words;
    expect(unused).toMatch(/This minute ?0 \/ 60 requests Across all keys. Keys ?1 \/ 3 in use/);
    expect(unused).toContain("Terms accepted 2026-09-26 Directory endpoint");
    // A minute that ends between the two begins anew.
    const afterOne = async () => {
      await rpc(server.url, key, "ping");
      return (await operator.get(path)).words;
    };
    await expect.poll(afterOne).toMatch(/This minute ?[1-9]\d? \/ 60 requests Resets in \d+ s/);

    await database.sql`update consumers set terms_version = null where id = ${consumer.id}`;
    expect((await operator.get(path)).words).toMatch(/Terms accepted None yet ?2026-09-26 not accepted ?Existing keys/);
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${consumer.id}`;
    expect((await operator.get(path)).words).not.toContain("2026-09-26 waits");
  });

  it("counts a directory endpoint in where it answers, and says what new terms hold up", async () => {
    const operator = await makeOperator();
    const said = async (given: Parameters<typeof makeConsumer>[1]) =>
      (await operator.get(`/admin/consumers/${(await makeConsumer(database, given)).slug}`)).words;
    const directorySlug = () => `apps-${crypto.randomUUID()}`;
    const shared = "Across all keys and the directory endpoint.";
    expect(await said({ state: "production", directorySlug: directorySlug() })).toContain(shared);
    for (const given of [{ state: "sandbox" }, { state: "revoked", revokedFrom: "production" }] as const)
      expect(await said({ ...given, directorySlug: directorySlug() }), given.state).not.toContain(shared);
    const first = "The first key waits until an owner accepts it.";
    expect(await said({ state: "under_review", termsVersion: null })).toContain(first);
    const keyless = await said({ state: "sandbox", termsVersion: null });
    expect(keyless).toContain("New keys wait until an owner accepts it.");
    expect(keyless).not.toContain(first);
  });

  it("is changed by the form, and holds on the next request", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production", rateLimit: 1000 });
    const { value: key } = await issueKey(database, consumer.id);
    const path = `/admin/consumers/${consumer.slug}`;
    const version = versionIn(await operator.get(path));
    const fields = {
      ...production,
      intent: "access",
      source: "needed",
      version,
      coverage: "explicit",
      utmSource: consumer.slug,
    };
    expect(await operator.post(`${path}?index`, fields)).toMatchObject({
      status: 302,
      location: `${path}?done=access`,
    });
    expect(await rowOf(consumer.id)).toMatchObject({
      coverage: "explicit",
      rateLimit: 900,
      maxKeys: 4,
      scopes: ["catalog:read"],
    });
    const listed = (await rpc(server.url, key, "tools/list")).json.result.tools as { name: string }[];
    expect(listed.map(({ name }) => name)).not.toContain("get_offers");
    const stale = await operator.post(`${path}?index`, { ...fields, rateLimit: "5" });
    expect(stale.status).toBe(409);
    expect(stale.words).toContain("Olwen Price changed limits and access on");
    expect((await rowOf(consumer.id)).rateLimit).toBe(900);
    const none = await operator.post(`${path}?index`, { ...fields, version: "2", "scopes[]": "" });
    expect(none.status).toBe(400);
  });

  it("after a mistyped field is not saved over what somebody else changed meanwhile", async () => {
    const [one, two] = [await makeOperator(), await makeOperator()];
    const consumer = await makeConsumer(database, { state: "production", rateLimit: 1000 });
    const path = `/admin/consumers/${consumer.slug}`;
    const version = versionIn(await one.get(path));
    const fields = { ...production, intent: "access", source: "needed", version, utmSource: consumer.slug };
    const post = (by: typeof one, more: Record<string, string>) => by.post(`${path}?index`, { ...fields, ...more });
    expect((await post(two, { rateLimit: "30" })).status).toBe(302);
    const mistyped = await post(one, { rateLimit: "" });
    expect(mistyped.status).toBe(400);
    expect(formVersion(mistyped, "access")).toBe(version);
    const late = await post(one, { rateLimit: "900", version: formVersion(mistyped, "access") });
    expect([late.status, late.words]).toEqual([409, expect.stringContaining("changed limits and access on")]);
    expect((await rowOf(consumer.id)).rateLimit).toBe(30);
    expect((await post(one, { rateLimit: "900", version: formVersion(late, "access") })).status).toBe(302);
  });

  it("in sandbox needs no utm_source", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database);
    const path = `/admin/consumers/${consumer.slug}`;
    const fields = { ...production, intent: "access", source: "optional", version: "1", rateLimit: "120" };
    expect((await operator.post(`${path}?index`, fields)).status).toBe(302);
    expect(await rowOf(consumer.id)).toMatchObject({ rateLimit: 120, utmSource: null });
    const change = async (version: string, utmSource: string) =>
      (await operator.post(`${path}?index`, { ...fields, version, utmSource })).status;
    expect([await change("2", "trail.example"), (await rowOf(consumer.id)).utmSource]).toEqual([302, "trail.example"]);
    expect([await change("3", ""), (await rowOf(consumer.id)).utmSource]).toEqual([302, null]);
  });

  it("has a directory endpoint issued, its pack downloaded by both sides, and withdrawn: the next request gets 404", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production", scopes: ["catalog:read", "offers:read"] });
    const owner = await logIn(consumer.owner);
    expect((await owner.get("/console/directory-pack")).status).toBe(404);
    const path = `/admin/consumers/${consumer.slug}`;
    const slug = `${consumer.slug}-apps`;
    const issued = await operator.post(`${path}?index`, { intent: "directory", version: "1", directorySlug: slug });
    expect(issued.status).toBe(302);
    const ask = () => rpc(server.url, undefined, "tools/list", {}, { path: `/api/mcp/p/${slug}` });
    const { json } = await ask();

    const overview = await owner.get("/console");
    expect(overview.words).toContain(`${server.url}/api/mcp/p/${slug}`);
    expect(overview.html).toContain(`href="/console/directory-pack?consumerId=${consumer.id}"`);
    for (const [who, at] of [
      [owner, "/console/directory-pack"],
      [operator, `${path}/directory-pack`],
    ] as const) {
      const response = await fetch(new URL(at, server.url), {
        headers: { cookie: [...who.cookies].map((pair) => pair.join("=")).join("; ") },
      });
      expect(response.headers.get("content-type")).toBe("application/zip");
      expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${slug}-directory-pack.zip"`);
      const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
      const read = (name: string) => JSON.parse(strFromU8(files[name]!));
      expect(read("tools.json")).toEqual(json.result);
      expect(read("server.json")).toMatchObject({
        name: `example.${consumer.slug}/${slug}`,
        remotes: [{ type: "streamable-http", url: expect.stringMatching(new RegExp(`/api/mcp/p/${slug}$`)) }],
      });
      // Whoever lists it shows them on pages of their own.
      for (const { src, mimeType } of read("server.json").icons) {
        const { status, headers } = await fetch(src);
        expect([status, headers.get("content-type")], src).toEqual([200, mimeType]);
        expect(headers.get("cross-origin-resource-policy"), src).toBe("cross-origin");
      }
      const names = json.result.tools.map(({ name }: { name: string }) => name);
      const { tools: submitted, test_cases, negative_test_cases, app_info } = read("chatgpt-app-submission.json");
      expect(Object.keys(submitted)).toEqual(names);
      expect(test_cases.map((one: { tools_triggered: string }) => one.tools_triggered)).toEqual(names);
      expect(negative_test_cases.length).toBeGreaterThanOrEqual(3);
      expect(app_info.subtitle.length).toBeLessThanOrEqual(30);
      expect(read("test-prompts.json").positive).toHaveLength(names.length);
      expect(read("manifest.json").endpoint.authentication).toBe("none");
      expect(Object.keys(files)).toEqual(
        expect.arrayContaining(["README.md", "icons/aisle.svg", "icons/aisle-512.png"]),
      );
    }

    const dialog = await operator.get(`${path}?dialog=withdraw`);
    expect(dialog.words).toContain(`Withdraw the directory endpoint “${slug}”?`);
    await operator.post(`${path}?index&dialog=withdraw`, { intent: "withdraw", version: versionIn(dialog) });
    expect((await ask()).status).toBe(404);
    expect((await owner.get("/console")).words).not.toContain("Directory endpoint");
    expect((await owner.get("/console/directory-pack")).status).toBe(404);
  });

  it("takes no directory slug that another consumer has, and says so beside the field", async () => {
    const operator = await makeOperator();
    const other = await makeConsumer(database, { state: "production", directorySlug: `taken-${Date.now()}` });
    const consumer = await makeConsumer(database, { state: "production" });
    const fields = { intent: "directory", version: "1", directorySlug: other.directorySlug! };
    const answer = await operator.post(`/admin/consumers/${consumer.slug}?index`, fields);
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("Another consumer has this directory slug. Choose a different one.");
    expect(answer.html).toContain(`value="${other.directorySlug}"`);
  });
});

describe("a consumer's people and keys", () => {
  it("are added by email, renewed, given another role and removed; the last owner stays", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database);
    const person = await makeAccount(database, { name: "Rory Flynn" });
    const path = `/admin/consumers/${consumer.slug}/members`;
    const add = (fields: Record<string, string>) =>
      operator.post(`${path}?dialog=add`, { intent: "add", lastDay: "", ...fields });
    const unknown = await add({ email: "nobody@nowhere.example", role: "developer" });
    expect(unknown.status).toBe(400);
    expect(unknown.words).toContain("There is no account with this address.");
    expect(unknown.html).toContain('value="nobody@nowhere.example"');
    expect((await add({ email: person.email, role: "reviewer" })).words).toContain("Enter the last day of access.");
    const lastDay = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const added = await add({ email: person.email, role: "reviewer", lastDay });
    expect(added).toMatchObject({ status: 302, location: `${path}?done=add` });
    expect((await operator.get(added.location!)).words).toContain("Rory Flynn");
    const who = { id: person.id, lastDay };
    /** Sends a dialog's form as it is shown. */
    const send = async (intent: string, { id, ...fields }: { id: string; lastDay: string; role?: string }) => {
      const here = `${path}?dialog=${intent}&id=${id}`;
      const [grantedAt = ""] = (await operator.get(here)).html.match(/(?<=name="grantedAt"[^>]*value=")[^"]+/) ?? [];
      return operator.post(here, { intent, id, grantedAt, ...fields });
    };
    expect((await send("renew", who)).status).toBe(302);
    const dialog = await operator.get(`${path}?dialog=role&id=${person.id}`);
    expect(dialog.words).toContain("Change the role of Rory Flynn");
    expect(dialog.html.match(/(?<=<input[^>]*name="role"[^>]*value=")\w+/g)).toEqual(["owner", "developer"]);
    const change = (id: string, role: string) => send("role", { id, role, lastDay: "" });
    const unchosen = await change(person.id, "");
    expect(unchosen.words).toContain("Choose a role.");
    // What was decided on stays what the dialog showed, though somebody else decided meanwhile.
    const grantedIn = (page: Page) => page.html.match(/(?<=name="grantedAt"[^>]*value=")[^"]+/)![0];
    const shown = grantedIn(unchosen);
    const here = `${path}?dialog=role&id=${person.id}`;
    const mine = and(eq(members.consumerId, consumer.id), eq(members.accountId, person.id));
    const [{ grantedAt } = { grantedAt: new Date() }] = await database.db.select().from(members).where(mine);
    await database.db.update(members).set({ grantedAt: new Date() }).where(mine);
    const again = await operator.post(here, { intent: "role", id: person.id, grantedAt: shown, role: "", lastDay: "" });
    expect([again.status, grantedIn(again)]).toEqual([400, shown]);
    const late = await operator.post(here, {
      intent: "role",
      id: person.id,
      grantedAt: shown,
      role: "owner",
      lastDay: "",
    });
    expect([late.status, grantedIn(late)]).toEqual([409, expect.not.stringContaining(shown)]);
    await database.db.update(members).set({ grantedAt }).where(mine);
    expect(await change(person.id, "developer")).toMatchObject({ status: 302, location: `${path}?done=role` });
    expect((await operator.get(path)).words).toContain(`Rory Flynn${person.email} Role Developer`);
    const listed = await operator.get(path);
    expect(listed.words).toContain("Last owner");
    expect(listed.html).toContain(`aria-label="Remove Rory Flynn"`);
    expect(listed.html).not.toContain(`aria-label="Remove ${consumer.owner.name}"`);
    const withDay = await send("role", { id: person.id, role: "owner", lastDay });
    expect(withDay.status, "a day that was typed before another role was chosen").toBe(302);
    expect((await operator.get(path)).words).not.toContain("Last owner");
    expect((await operator.get(`${path}?dialog=role&id=${person.id}`)).words).toContain(
      "Now an owner. The new role counts from their next request; keys they issued are not revoked.",
    );
    const ofOwner = `${path}?dialog=role&id=${consumer.owner.id}`;
    const owners = { intent: "role", id: consumer.owner.id, grantedAt: grantedIn(await operator.get(ofOwner)) };
    expect((await change(person.id, "developer")).status).toBe(302);
    const refused = await operator.post(ofOwner, { ...owners, role: "developer", lastDay: "" });
    expect([refused.status, refused.words]).toEqual([
      409,
      expect.stringContaining("This is the last owner. Make someone else"),
    ]);
    for (const dialog of ["role", "remove"])
      expect((await operator.get(`${path}?dialog=${dialog}&id=${consumer.owner.id}`)).html).not.toContain("<dialog");
    const removing = await operator.get(`${path}?dialog=remove&id=${person.id}`);
    expect(removing.html).toContain("<dialog");
    expect(removing.words).toContain("Remove Rory Flynn from");
    expect((await operator.post(path, { intent: "remove", ...who })).status).toBe(302);
    const last = await operator.post(path, { intent: "remove", id: consumer.owner.id });
    expect(last.status).toBe(409);
    expect(last.words).toContain("This is the last owner.");
    expect(await database.db.$count(members, eq(members.consumerId, consumer.id))).toBe(1);
    const history = (await operator.get(`/admin/consumers/${consumer.slug}/history`)).words;
    for (const did of ["removed a member", "changed a member's roleRole: reviewer → developer"])
      expect(history).toContain(`Olwen Price ${did}`);
  });

  it("keys are listed without values and revoked by their name, never issued", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database);
    const other = await makeConsumer(database);
    const { value, id } = await issueKey(database, consumer.id, { name: "Server" });
    const theirs = await issueKey(database, other.id, { name: "Theirs" });
    const path = `/admin/consumers/${consumer.slug}/keys`;
    const page = await operator.get(path);
    expect(page.words).toContain("Server");
    expect(page.html).not.toContain(value);
    expect(page.words).not.toContain("Rotate");
    expect((await operator.get(`${path}?dialog=revoke&id=${id}`)).words).toContain("Its owners get an email.");
    expect((await operator.post(path, { intent: "revoke", id, confirm: "Servr" })).status).toBe(400);
    expect((await rpc(server.url, value, "ping")).status).toBe(200);
    const revoked = await operator.post(path, { intent: "revoke", id, confirm: "Server" });
    expect(revoked).toMatchObject({ status: 302, location: `${path}?done=revoked&key=${id}` });
    expect((await operator.get(revoked.location!)).words).toMatch(/The key Server \(aisle_\S+\) is revoked/);
    expect((await rpc(server.url, value, "ping")).status).toBe(401);
    expect((await operator.post(path, { intent: "revoke", id: theirs.id, confirm: "Theirs" })).status).toBe(400);
    expect((await rpc(server.url, theirs.value, "ping")).status).toBe(200);
  });

  it("keys that are refused, or cannot be issued, are told as that: access was revoked, or not given yet", async () => {
    const operator = await makeOperator();
    const said = async (slug: string) => (await operator.get(`/admin/consumers/${slug}/keys`)).words;
    const { id, slug } = await makeConsumer(database);
    await issueKey(database, id);
    expect(await said(slug)).toMatch(/Working keys .* State Active/);
    expect(await said(slug)).not.toMatch(/refused|can be issued/i);
    await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${id}`;
    const refused = await said(slug);
    expect(refused).toContain("Access was revoked: every key is refused");
    expect(refused).toMatch(/Refused keys They work again once the platform has access\. .* State Refused/);
    expect(refused).not.toMatch(/Working keys|Active/);
    const rejected = await makeConsumer(database, { state: "revoked", revokedFrom: "under_review" });
    expect(await said(rejected.slug)).toContain("The application was rejected: no keys can be issued");
    const waiting = await makeConsumer(database, { state: "under_review" });
    expect(await said(waiting.slug)).toContain("Keys can be issued once the application is approved");
  });

  it("that keys work is said by no dialog of a platform whose access was revoked", async () => {
    const operator = await makeOperator();
    const { id, slug } = await makeConsumer(database);
    const [before, key] = [await issueKey(database, id), await issueKey(database, id)];
    await database.sql`update keys set superseded_at = now(), line = (select line from keys where id = ${key.id})
      where id = ${before.id}`;
    const person = await makeAccount(database);
    await database.db.insert(members).values({ consumerId: id, accountId: person.id, role: "owner" });
    await database.sql`update consumers set state = 'revoked', revoked_from = 'production' where id = ${id}`;
    for (const [dialog, said] of [
      [`keys?dialog=revoke&id=${key.id}`, "is not revoked with it: it is the active one again"],
      [`members?dialog=role&id=${person.id}`, "keys they issued are not revoked"],
      [`members?dialog=remove&id=${person.id}`, "Keys they issued are not revoked"],
    ]) {
      const { words } = await operator.get(`/admin/consumers/${slug}/${dialog}`);
      expect(words, dialog).toContain(said);
      expect(words, dialog).not.toMatch(/keep working|still works/);
    }
  });

  it("usage counts calls and errors by tool", async () => {
    const operator = await makeOperator();
    const consumer = await makeConsumer(database, { rateLimit: 1000 });
    const { value: key } = await issueKey(database, consumer.id);
    await callTool(server.url, key, "list_stores", {});
    await callTool(server.url, key, "list_stores", { nonsense: 1 });
    const page = await operator.get(`/admin/consumers/${consumer.slug}/usage`);
    expect(page.words).toContain("list_stores 24 hours 2 30 days 2 · 2 in 24 h Errors 1 · 50.0%");
    expect(page.words).toContain("Entered sandbox just now");
    for (const log of ["requests", "usage"]) {
      const link = `/admin/${log}?consumer=${consumer.slug}`;
      expect(page.html).toContain(`href="${link}"`);
      expect((await operator.get(link)).words, log).toContain(consumer.name);
    }
  });
});

describe("the log of all requests", () => {
  it("has internal errors above it while there are any, and says below it that there are none", async () => {
    const operator = await makeOperator();
    const { id } = await makeConsumer(database);
    await callTool(server.url, (await issueKey(database, id)).value, "list_stores", {});
    const order = /(Requests, newest first|Internal errors) (?=.)/g;
    const parts = async () => [...new Set((await operator.get("/admin/requests")).words.match(order))];
    expect(await parts()).toEqual(["Requests, newest first ", "Internal errors "]);
    await database.sql`
      insert into failures (request_id, at, door, name, message) values (${crypto.randomUUID()}, now(), 'mcp', 'TypeError', 'x')`;
    expect(await parts()).toEqual(["Internal errors ", "Requests, newest first "]);
  });
});

describe("test prompts", () => {
  it("stand on every tool, each its own", () => {
    const prompts = tools.map(({ prompt }) => prompt);
    expect(new Set(prompts).size).toBe(tools.length);
    for (const prompt of prompts) expect(prompt.length).toBeGreaterThan(20);
  });
});
