// Playground, documentation and client doctor as a browser without scripts sees them.
import { describe, expect, it } from "vitest";
import { scopes } from "../../server/context";
import { reported } from "../../server/mcp/meta";
import { tools } from "../../server/tools";
import { issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";
import { logins } from "../support/logins";
import { everythingStored } from "../support/people";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";
import { newVisitor } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const { logIn, makeTeam } = logins(database, server);
const PAGE = "/console/playground";

const text = (html: string) => html.replaceAll("&quot;", '"').replaceAll("&amp;", "&").replaceAll("&#x27;", "'");
const exampleIn = (html: string) => text(/<textarea[^>]*name="arguments"[^>]*>([^<]*)/.exec(html)![1]!);

describe("the Playground", () => {
  it("runs every tool with its example, filled in already", async () => {
    const { consumer, owner } = await makeTeam({ scopes: [...scopes] });
    for (const { name } of tools) {
      const page = await owner.get(`${PAGE}?tool=${name}`);
      const answer = await owner.post(`${PAGE}?tool=${name}`, {
        consumerId: consumer.id,
        tool: name,
        arguments: exampleIn(page.html),
      });
      expect(answer.status, name).toBe(200);
      expect(answer.words, name).toMatch(/\d m?s at the server/);
      expect(answer.html, name).not.toContain("An agent gets the same message");
      expect(text(answer.html), name).toContain("structuredContent");
    }
  });

  it.each(["owner", "developer", "reviewer"] as const)("lets a %s run a tool", async (role) => {
    const { consumer, owner, join } = await makeTeam();
    const who = role === "owner" ? owner : await join(role);
    const answer = await who.post(PAGE, { consumerId: consumer.id, tool: "list_stores", arguments: "{}" });
    expect(answer.words).toContain("Tarn & Timber");
  });

  it("runs nothing for a platform that was chosen in another tab meanwhile, and says so", async () => {
    const { consumer, owner } = await makeTeam();
    const other = await makeTeam();
    const { html } = await owner.get(PAGE);
    expect(html).toMatch(new RegExp(`name="consumerId"[^>]*value="${consumer.id}"`));
    const fields = { consumerId: other.consumer.id, tool: "list_stores", arguments: "{}" };
    const refused = await owner.post(PAGE, fields);
    expect([refused.status, refused.words]).toEqual([
      409,
      expect.stringContaining("Nothing was done: this page was about a different one"),
    ]);
    expect((await owner.post(PAGE, { ...fields, consumerId: "" })).status).toBe(400);
    const [calls] = await database.sql`
      select count(*)::int as n from usage_events where consumer_id in (${consumer.id}, ${other.consumer.id})`;
    expect(calls!.n).toBe(0);
  });

  it("sends strangers to the log-in, and people without a platform to the application", async () => {
    expect((await newVisitor(server.url).get(PAGE)).location).toMatch(/^\/login/);
    const person = await logIn(await makeAccount(database));
    expect((await person.get(PAGE)).status).toBe(302);
    const refused = await person.post(PAGE, { tool: "list_stores", arguments: "{}" });
    expect(refused.status).toBe(302);
    expect(refused.words).not.toContain("Tarn");
  });

  it("shows products with prices, and pictures that we serve", async () => {
    const { consumer, owner } = await makeTeam();
    const answer = await owner.post(PAGE, {
      consumerId: consumer.id,
      tool: "search_products",
      arguments: '{"query":"tent","limit":3}',
    });
    expect(answer.words).toMatch(/€\d/);
    const [, path] = /<img[^>]* src="(\/demo-images\/[^"]+)"/.exec(answer.html)!;
    expect(/<img[^>]*>/.exec(answer.html)![0]).toMatch(/loading="lazy".*referrerPolicy="no-referrer"/i);
    const picture = await newVisitor(server.url).get(path!);
    expect(picture.status).toBe(200);
    expect(picture.headers.get("content-type")).toBe("image/svg+xml");
    expect(picture.headers.get("cache-control")).toBe("public, max-age=86400");
    expect((await newVisitor(server.url).get("/demo-images/..%2f..%2fetc")).status).toBe(404);
  });

  it("alone may load pictures of other hosts", async () => {
    const { owner } = await makeTeam();
    const policy = async (path: string) => (await owner.get(path)).headers.get("content-security-policy");
    expect(await policy(PAGE)).toContain("img-src 'self' data: https:;");
    expect(await policy(PAGE)).not.toContain("unsafe");
    for (const path of ["/console", "/console/docs", "/docs"])
      expect(await policy(path)).toContain("img-src 'self' data:;");
    // Whose they are is told where it is told what comes from whom.
    expect((await owner.get("/docs")).words).toContain("except merchants' pictures in the Playground");
  });

  it("names a row in the view by its id where its first field is a number", async () => {
    const { consumer, owner } = await makeTeam({ scopes: ["catalog:read", "inventory:read"] });
    const args = exampleIn((await owner.get(`${PAGE}?tool=check_inventory`)).html);
    const { html } = await owner.post(PAGE, { consumerId: consumer.id, tool: "check_inventory", arguments: args });
    const [first] = /<th [\s\S]*?<\/th>/.exec(html.slice(html.indexOf("Rows of items")))!;
    expect(text(first)).toContain("product_id");
  });

  it("shows in the view what tells rows apart, and what each promotion gives, with which code and when", async () => {
    const { consumer, owner } = await makeTeam({ scopes: ["catalog:read", "offers:read", "promotions:read"] });
    const view = async (tool: string) => {
      const args = exampleIn((await owner.get(`${PAGE}?tool=${tool}`)).html);
      const { html } = await owner.post(PAGE, {
        consumerId: consumer.id,
        tool,
        arguments: tool === "get_promotions" ? all(args) : args,
      });
      const from = html.indexOf('<div data-panel="1"', html.indexOf('id="answer"'));
      return text(html.slice(from, html.indexOf('<div data-panel="2"', from)));
    };
    const all = (args: string) => JSON.stringify({ store_id: JSON.parse(args).store_id });
    const offers = await view("get_offers");
    for (const told of ["A01-1", "A01-2", "offer_id", "total_price", "condition", "availability"])
      expect(offers).toContain(told);
    const rows = (await view("get_product")).match(/<tr[\s\S]*?<\/tr>/g)!;
    expect(new Set(rows).size).toBe(rows.length);
    const promotions = await view("get_promotions");
    const found = await database.sql`
      select promotions.* from promotions join stores on stores.id = store_id
      where stores.slug = 'tarn-and-timber' and ends_at > now()`;
    expect(found.length).toBeGreaterThan(3);
    for (const { long_title: title, generic_redemption_code: code, starts_at: start, ends_at: end } of found)
      for (const told of [title, code ?? "", start.toISOString(), end.toISOString()])
        expect(promotions).toContain(told);
    for (const told of ["generic_redemption_code", "money_off_amount", "€20.00", "status", "upcoming"])
      expect(promotions).toContain(told);
  });

  it("says what its code needs installed", async () => {
    const { owner } = await makeTeam();
    const { words } = await owner.get(PAGE);
    expect(words).toContain("npm install @modelcontextprotocol/client");
    expect(words).toContain('pip install "mcp>=2"');
  });

  it("keeps what was typed where it is not JSON, and says where it broke", async () => {
    const { consumer, owner } = await makeTeam();
    const answer = await owner.post(PAGE, { consumerId: consumer.id, tool: "list_stores", arguments: '{"limit": }' });
    expect(answer.status).toBe(400);
    expect(answer.words).toContain("This is not JSON:");
    expect(exampleIn(answer.html)).toBe('{"limit": }');
    // The code of the call would have none of it.
    expect(answer.words.match(/Mend it to see the call as code\./g)).toHaveLength(3);
    expect(text(answer.html)).not.toMatch(/"arguments": ?\{\}/);
  });

  it("opens a call from a link, and shows a refusal with its issues", async () => {
    const { consumer, owner } = await makeTeam();
    const link = `${PAGE}?${new URLSearchParams({ tool: "get_offers", arguments: '{"gtin":"12"}' })}`;
    expect(JSON.parse(exampleIn((await owner.get(link)).html))).toEqual({ gtin: "12" });
    const answer = await owner.post(link, { consumerId: consumer.id, tool: "get_offers", arguments: '{"gtin":"12"}' });
    expect(answer.words).toContain("invalid_arguments");
    expect(answer.words).toContain("must have 8, 12, 13 or 14 digits");
  });

  it("has the directory endpoint's view only where there is one", async () => {
    const label = "As the directory endpoint answers";
    const { owner } = await makeTeam();
    expect((await owner.get(PAGE)).words).not.toContain(label);
    const live = await makeTeam({ state: "production", directorySlug: "page-guide" });
    expect((await live.owner.get(PAGE)).words).toContain(label);
    const fields = { consumerId: live.consumer.id, tool: "list_stores", arguments: "{}", asDirectory: "on" };
    const answer = await live.owner.post(PAGE, fields);
    expect(answer.words).toContain("POST /api/mcp/p/page-guide HTTP/1.1");
    expect(answer.words).not.toContain("Authorization: Bearer");
  });

  it("opens a call to the directory endpoint from a link as one, and keeps the tick where the arguments are no JSON", async () => {
    const isTicked = (html: string) => /<input[^>]*name="asDirectory"[^>]*>/.exec(html)?.[0].includes("checked");
    const { consumer, owner } = await makeTeam({ state: "production", directorySlug: "linked-guide" });
    const link = `${PAGE}?tool=list_stores&arguments=%7B%7D`;
    expect(isTicked((await owner.get(link)).html)).toBe(false);
    expect(isTicked((await owner.get(`${link}&asDirectory=on`)).html)).toBe(true);
    const fields = { consumerId: consumer.id, tool: "list_stores", arguments: "{", asDirectory: "on" };
    expect(isTicked((await owner.post(PAGE, fields)).html)).toBe(true);
    const { owner: without } = await makeTeam();
    expect(isTicked((await without.get(`${link}&asDirectory=on`)).html)).toBeUndefined();
  });

  it("says why it is closed", async () => {
    const { owner } = await makeTeam({ state: "under_review" });
    const page = await owner.get(PAGE);
    expect(page.words).toContain("The tools work once the application is approved.");
    expect(page.html).not.toContain("<textarea");
  });

  it("gives by key the same answer as by hand", async () => {
    const { consumer, owner } = await makeTeam();
    const { value } = await issueKey(database, consumer.id);
    const args = { query: "tent", limit: 2 };
    const byKey = (await rpc(server.url, value, "tools/call", { name: "search_products", arguments: args })).json
      .result;
    const { html } = await owner.post(PAGE, {
      consumerId: consumer.id,
      tool: "search_products",
      arguments: JSON.stringify(args),
    });
    expect(byKey.structuredContent.products).toHaveLength(2);
    for (const { title, product_url } of byKey.structuredContent.products) {
      expect(text(html)).toContain(title);
      expect(text(html)).toContain(product_url);
    }
    const rows =
      await database.sql`select endpoint from usage_events where consumer_id = ${consumer.id} order by request_id`;
    expect(rows.map(({ endpoint }) => endpoint)).toEqual(["api", "playground"]);
  });
});

describe("the documentation", () => {
  it("has every tool with its arguments, fields and an example answered just now, for anybody, and writes no usage", async () => {
    const recorded = async () => {
      await untilRecorded(database);
      return (await database.sql`select count(*)::int as n from usage_events`)[0]!.n;
    };
    const before = await recorded();
    const anybody = newVisitor(server.url);
    const first = await anybody.get("/docs");
    expect(first.status).toBe(200);
    for (const { name, scope } of tools) {
      expect(first.html).toContain(`href="/docs/${name}"`);
      const page = await anybody.get(`/docs/${name}`);
      expect(page.status, name).toBe(200);
      expect(page.words, name).toContain(scope);
      expect(page.words, name).toContain("structuredContent of the example, answered just now");
      const places = ['id="arguments"', 'id="answer"', "answered just now"].map((part) => page.html.indexOf(part));
      expect(places, name).toEqual(places.toSorted((a, b) => a - b));
      expect(page.words, name).not.toContain("store_not_available");
    }
    expect(await recorded()).toBe(before);
    const search = await anybody.get("/docs/search_products");
    expect(search.words).toContain("filters.price.min");
    expect(search.words).toContain("products[].product_url");
    // The example's first product is unfolded, and shows what the others are like.
    const answer = search.html.slice(search.html.indexOf('id="answer"'));
    const folds = answer.matchAll(/<details( open="")?><summary(?:(?!<\/summary>).)*?text-code-key">(\w+)</gs);
    const seen = [...folds].map(([, open, name]) => `${open ? "−" : "+"} ${name}`);
    expect(seen.slice(0, 3)).toEqual(["− products", "− 0", "+ price"]);
    expect(seen).toContain("+ 1");
  });

  it("says what its code needs installed, and which calls sandbox access does not include", async () => {
    const anybody = newVisitor(server.url);
    const [search, stock] = [await anybody.get("/docs/search_products"), await anybody.get("/docs/check_inventory")];
    for (const { words } of [search, stock]) {
      expect(words).toContain("npm install @modelcontextprotocol/client");
      expect(words).toContain('pip install "mcp>=2"');
    }
    expect(stock.words).toContain("Sandbox access does not include inventory:read");
    expect(search.words).not.toContain("Sandbox access does not include");
  });

  it("lists errors with their mend, limits as they are set, and what changed", async () => {
    const { words } = await newVisitor(server.url).get("/docs");
    expect(words).toContain("not_acceptable");
    expect(words).toContain("A bare */* is not enough.");
    expect(words).toMatch(/Requests per minute in sandbox, across all keys 60/);
    expect(words).toMatch(
      /A call Its tool, store and products, .* for 90 days: .* What it asked Its arguments, for 7 days, /,
    );
    for (const kept of [
      "a sign-up that is never confirmed, for 30 days",
      "Address and browser of each session, until it ends, at most 30 days after",
      "A hash of your address and the network, for 31 days",
      "Which one, when, and to which address, for 30 days, or 90",
      "your Playground calls in the request log, under an id that no longer identifies you",
    ])
      expect(words).toContain(kept);
    expect(words).toContain("2.0.0");
  });

  it("is in the console too, and on llms.txt", async () => {
    const { owner } = await makeTeam();
    expect((await owner.get("/console/docs")).html).toContain('href="/console/docs/get_offers"');
    expect((await owner.get("/console/docs/get_offers")).status).toBe(200);
    const llms = await newVisitor(server.url).get("/llms.txt");
    expect(llms.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(llms.html).toMatch(/^# Aisle\n\n> /);
    for (const { name } of tools) expect(llms.html).toContain(`- [${name}](${server.url}/docs/${name}): `);
    for (const name of reported) expect(llms.html).toContain(`com.example/${name}`);
    expect(llms.html).toMatch(/\n## Data\n\n- A call: /);
  });

  it("has no page for a tool that there is not", async () => {
    expect((await newVisitor(server.url).get("/docs/buy_everything")).status).toBe(404);
  });
});

describe("the client doctor", () => {
  it("opens an address in the answer to the form alone, and shows what came to it", async () => {
    const { consumer, owner } = await makeTeam();
    expect((await owner.get("/console/doctor")).words).toContain("No requests");
    const opened = await owner.post("/console/doctor", {});
    expect(opened.headers.get("cache-control")).toBe("no-store");
    const [path, token] = /\/api\/mcp\/doctor\/([\w-]{32})/.exec(opened.html)!;
    expect((await owner.get("/console/doctor")).html).not.toContain(token);
    expect(await everythingStored(database)).not.toContain(token);
    const { value } = await issueKey(database, consumer.id);
    await rpc(server.url, value, "tools/list", {}, { path, headers: { accept: "application/json" } });
    const page = await owner.get("/console/doctor");
    expect(page.words).toContain("406 not_acceptable 1 fault");
    await rpc(server.url, undefined, "tools/list", {}, { path });
    const keyless = (await owner.get("/console/doctor")).words;
    expect(keyless).toContain("Nothing in the request looks like a key. Send Authorization: Bearer <key>.");
    await rpc(server.url, `${value}x`, "tools/list", {}, { path });
    expect((await owner.get("/console/doctor")).words).not.toContain("says which");
    expect(page.words).toContain("It lacks text/event-stream.");
    expect(page.words).toContain("Send Accept: application/json, text/event-stream.");
    expect(page.html).not.toContain(value);
  });

  it("explains a request by its id, and says what it cannot find", async () => {
    const { consumer, owner } = await makeTeam();
    const { value } = await issueKey(database, consumer.id);
    const reply = await rpc(server.url, value, "tools/call", { name: "check_inventory", arguments: {} });
    const found = await owner.get(`/console/doctor?request=${reply.headers["x-request-id"]}`);
    expect(found.words).toContain("Use a key with required_scope");
    for (const nonsense of ["nonsense", "n".repeat(101), crypto.randomUUID().slice(1)]) {
      const page = await owner.get(`/console/doctor?request=${nonsense}`);
      expect(page.status).toBe(200);
      expect(page.words).toContain("A request id has 36 characters");
      expect(page.words).not.toContain("There is no such request.");
    }
    const unknown = await owner.get(`/console/doctor?request=${crypto.randomUUID()}`);
    expect(unknown.words).toContain("There is no such request.");
    const stranger = await makeTeam();
    const theirs = await stranger.owner.get(`/console/doctor?request=${reply.headers["x-request-id"]}`);
    expect(theirs.words).toContain("There is no such request.");
  });
});
