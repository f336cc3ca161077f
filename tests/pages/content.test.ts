// What strangers write stays text: every column that holds words is filled with markup, addresses that run, Markdown and
// formulas; then every page, in every dialog that it links to, and every CSV file is read as a browser or a spreadsheet would.
import { createHash, randomUUID } from "node:crypto";
import { parse as parseCsv } from "csv-parse/sync";
import { beforeAll, describe, expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import type { Merchant, Operator } from "../../server/context";
import * as decisions from "../../server/services/agent-decisions";
import * as invitations from "../../server/services/invitations";
import * as unsubscribe from "../../server/services/unsubscribe";
import { callTool, issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { hostile, hostileMarkdown, readHtml, SUPPORT_EMAIL } from "../support/inert";
import { logins } from "../support/logins";
import { logOf, testServer } from "../support/server";
import { newVisitor, type Visitor } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
// "test": also the page that shows mails where there is no mail server.
const server = testServer(database, { NODE_ENV: "test", SUPPORT_EMAIL });
const { logIn } = logins(database, server);

/** Columns that hold no words of anybody's: secrets, hashes, what only this code writes, what is derived. */
const ours = new Set([
  ...["accounts.password_hash", "sessions.id", "keys.start", "keys.end", "search_words.word", "rate_limits.key"],
  ...["audit.actor_kind", "audit.action", "audit.target_kind", "audit.target_id"],
  ...["stores.index_languages", "search_languages.language"],
  ...["products.tokens", "products.title_key", "variants.tokens", "usage_rollups.value"],
  // Written by templates, whose data has a sweep of its own: tests/services/mail-content.test.ts.
  ...[
    "outbox.template",
    "outbox.message_id",
    "outbox.data",
    "outbox.recipient",
    "local_mails.html",
    "local_mails.links",
  ],
]);
/** Names within JSON whose values are words of this code. */
const oursWithin = new Set(["severity", "verdict", "id", "state", "tier", "role", "coverage", "scopes", "day"]);

interface Column {
  table: string;
  column: string;
  type: "text" | "list" | "json";
}
interface Fixture {
  routeParams: Record<string, string>;
  visitors: Record<string, Visitor>;
  /** Seen by nobody in particular, with what they need in the address. */
  links: string[];
}
let fixture: Fixture;

async function makeEverything(): Promise<Fixture> {
  const { sql } = database;
  const operator: Operator = { kind: "operator", accountId: null };
  const [store] = await sql`select id, slug, merchant_id from stores where slug = 'ridgeline-supply'`;
  // A page of products is as good as a thousand.
  await sql`delete from products where id not in (select id from products where store_id = ${store!.id} limit 5)`;
  const consumer = await makeConsumer(database, {
    state: "production",
    coverage: "default_on",
    directorySlug: "listed",
  });
  const waiting = await makeConsumer(database, { state: "production_requested", decisionReason: "Not yet." });
  const account = await makeAccount(database);
  await sql`insert into merchant_members (merchant_id, account_id) values (${store!.merchant_id}, ${account.id})`;
  const seller: Merchant = { kind: "merchant", accountId: account.id, merchantId: store!.merchant_id };
  await makeStore(database, { merchant: { id: store!.merchant_id } });
  await decisions.block(database.as(seller), { store: store!.slug, platform: consumer.slug });
  await decisions.unblock(database.as(seller), { store: store!.slug, platform: consumer.slug });
  await sql`insert into notifications (id, consumer_id, store_id) values (${randomUUID()}, ${consumer.id}, ${store!.id})`;
  await sql`insert into terms (version, body) values ('2026-09-01', 'An older text.')`;

  const { value: key } = await issueKey(database, consumer.id);
  const good = await callTool(server.url, key, "search_products", { query: "tent" });
  await rpc(server.url, key, "tools/call", {
    name: "get_product",
    arguments: { store_id: store!.id, product_id: "none" },
  });
  await callTool(server.url, key, "list_stores", { surprise: "x" });
  const requestId = String(good.headers["x-request-id"]);
  // Pages warn of a key that expires.
  await sql`update keys set created_at = now() - interval '30 days', expires_at = now() + interval '3 days'`;
  await sql`
    insert into failures (request_id, at, door, consumer_id, name, message, stack)
    values (${randomUUID()}, now(), 'mcp', ${consumer.id}, 'Error', 'm', 's')`;
  const checkId = randomUUID();
  await sql`
    insert into doctor_checks (id, consumer_id, account_id, token_hash, created_at, expires_at)
    values (${checkId}, ${consumer.id}, ${consumer.owner.id}, ${hashed("doctor")}, now(), now() + interval '10 minutes')`;
  await sql`
    insert into doctor_visits (id, check_id, at, status, code, arrived, rules)
    values (${randomUUID()}, ${checkId}, now(), 400, 'invalid_request', ${sql.json([["Accept", "x"]])},
      ${sql.json([{ id: "accept", verdict: "failed", note: "n" }])})`;

  const loadId = randomUUID();
  await sql`
    insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, refusal, issues, requested_by,
      started_at, finished_at)
    values (${loadId}, ${store!.id}, 'f', 'tsv', 'refused', 1, 0, 1, 0, 'r', ${sql.json([
      { line: 2, field: "f", value: "v", reason: "r", severity: "error" },
      { line: 3, field: "f", value: "v", reason: "r", severity: "warning" },
    ])}, ${account.id}, now(), now())`;
  await sql`
    insert into feed_sources (store_id, url, last_fetch_at, last_outcome, last_error, etag, last_modified)
    values (${store!.id}, 'https://feeds.example/f', now(), 'failed', 'e', 'e', 'l')`;
  await sql`
    insert into local_mails (id, recipient, subject, text, html, links)
    values (${randomUUID()}, 'r', 's', 't https://aisle.example/login', 'h', ${["https://aisle.example/login"]})`;

  const newcomer = await makeAccount(database);
  const invited = await makeAccount(database);
  await invitations.send(database.as(operator), { merchantId: store!.merchant_id, email: invited.email });
  await sql`update merchant_invitations set hash = ${hashed("invitation")}`;
  for (const purpose of ["verify", "reset", "change_email"] as const) {
    await sql`
      insert into account_tokens (hash, account_id, purpose, email, expires_at)
      values (${hashed(purpose)}, ${newcomer.id}, ${purpose}, 'new@example.com', now() + interval '1 hour')`;
  }
  // A log-in that waits for its code, and an account that asks for one.
  const waitsForCode = newVisitor(server.url);
  const token = "c".repeat(43);
  waitsForCode.cookies.set("aisle-log-in", token);
  await sql`
    insert into account_tokens (hash, account_id, purpose, email, expires_at)
    values (${hashed(token)}, ${invited.id}, 'log_in', 'new@example.com', now() + interval '1 hour')`;
  await sql`insert into second_factors (account_id, secret, enabled_at) values (${invited.id}, 'sealed', now())`;
  // Both look after a second one.
  const other = await makeStore(database);
  await database.db.insert(merchantMembers).values({ merchantId: other.merchantId, accountId: account.id });
  await database.db.insert(members).values({ consumerId: waiting.id, accountId: consumer.owner.id, role: "developer" });
  const digest = unsubscribe.tokenFor(database.as(operator), { merchantId: store!.merchant_id, accountId: account.id });
  // Chosen, since the first by name would be whichever row the database has first once each name holds its place.
  const owner = await logIn(consumer.owner);
  await owner.post("/console/switch", { consumerId: consumer.id, redirectTo: "/console" });
  const merchant = await logIn(account);
  await merchant.post("/merchant/switch", { merchantId: store!.merchant_id, redirectTo: "/merchant" });
  const desk = await makeAccount(database, { isOperator: true });
  return {
    visitors: {
      nobody: newVisitor(server.url),
      "who waits for a code": waitsForCode,
      newcomer: await logIn(newcomer),
      invited: await logIn(invited),
      owner,
      "who waits": await logIn(waiting.owner),
      operator: await logIn(desk),
      merchant,
    },
    routeParams: {
      ...{
        consumer: consumer.slug,
        waiting: waiting.slug,
        store: store!.slug,
        storeId: store!.id,
        id: store!.merchant_id,
      },
      ...{ requestId, loadId, platform: consumer.slug, version: "2026-09-26", tool: "search_products", "*": "nowhere" },
    },
    links: [
      ...["/verify?token=verify", "/reset?token=reset", "/confirm-email?token=change_email"],
      ...["/invitation?token=invitation", `/unsubscribe?token=${digest}`],
      ...[`/console/switch?consumerId=${waiting.id}`, `/merchant/switch?merchantId=${other.merchantId}`],
    ],
  };
}

const hashed = (token: string) => createHash("sha256").update(token).digest();

const columns = () => database.sql<Column[]>`
  select c.relname as table, a.attname as column,
    case t.typname when 'jsonb' then 'json' when '_text' then 'list' else 'text' end as type
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and t.typname in ('text', 'varchar', '_text', 'jsonb')
  order by 1, 2`;

/** Writes into every column, in each row. What the database's own constraints refuse, nobody can write. */
async function fill(text: (name: string) => string): Promise<void> {
  const { sql } = database;
  for (const { table, column, type } of await columns()) {
    const name = `${table}.${column}`;
    if (ours.has(name)) continue;
    // Terms are the longest text that there is, and the only Markdown.
    const words = name === "terms.body" ? hostileMarkdown(name) : text(name);
    // The same in each row, but for what must differ.
    const tries = [words, `https://shop.example/${words}`, `${words}@`].map((each) => each.toLowerCase());
    for (const each of tries) {
      const refused = await write({ table, column, type }, each).then(
        () => false,
        (error: { code: string }) => {
          if (!/^(23|22001)/.test(error.code)) throw error;
          return true;
        },
      );
      if (!refused) break;
    }
  }
  await sql`alter table audit enable trigger user`;
}

async function write({ table, column, type }: Column, words: string): Promise<void> {
  const { sql } = database;
  const [t, c] = [sql(table), sql(column)];
  await sql.begin(async (tx) => {
    // Insert-only otherwise.
    if (table === "audit") await tx`alter table audit disable trigger user`;
    if (type === "text") await tx`update ${t} set ${c} = ${words} || ctid::text`;
    else if (type === "list") await tx`update ${t} set ${c} = array[${words} || ctid::text]`;
    else {
      const rows = await tx`select ctid::text as at, ${c} as value from ${t} where ${c} is not null`;
      for (const { at, value } of rows)
        await tx`update ${t} set ${c} = ${tx.json(within(value, words) as never)} where ctid = ${at}::tid`;
    }
  });
}

/** JSON of the same form, every text of it replaced. */
function within(value: unknown, words: string): unknown {
  if (typeof value === "string") return words;
  if (Array.isArray(value)) return value.map((item) => within(item, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, oursWithin.has(key) ? inner : within(inner, words)]),
  );
}

interface Route {
  id: string;
  parentId?: string;
  path?: string;
  module: { default?: unknown; loader?: unknown };
}
let routes: Record<string, Route>;

/** Where a route is, for each of the platforms that it may be about. */
function pathsOf(id: string): string[] {
  const parts: string[] = [];
  for (let route = routes[id]; route; route = routes[route.parentId ?? ""]) if (route.path) parts.unshift(route.path);
  const { consumer, waiting, store, ...params } = fixture.routeParams;
  const slugs = id.startsWith("routes/merchant") ? [store] : [consumer, waiting];
  const all = slugs.map((slug) =>
    `/${parts.join("/")}`.replace(
      /:(\w+)|\*/g,
      (whole, name = whole) => ({ ...params, slug })[name as "slug"] ?? whole,
    ),
  );
  return [...new Set(all)];
}

/** One of each: the same page with the same questions is not looked at twice. */
const kindOf = (url: URL) =>
  `${url.pathname} ${[...url.searchParams].map(([name, value]) => (name === "dialog" ? value : name))}`;
/** Other orders and filters of a list show the same words. */
function pageAt(path: string): URL {
  const url = new URL(path, server.url);
  if (!["dialog", "token", "consumerId", "merchantId"].some((name) => url.searchParams.has(name))) url.search = "";
  return url;
}
/** What people read on pages; the rest goes to agents, into files, or nowhere. */
const read = [
  ...["accounts.name", "accounts.email", "applications.product_name", "applications.company", "applications.website"],
  ...["applications.platform", "applications.shopper_use", "applications.technical_contact_email"],
  ...[
    "consumers.name",
    "consumers.decision_reason",
    "consumers.utm_source",
    "keys.name",
    "terms.body",
    "merchants.name",
  ],
  ...["merchant_invitations.email", "stores.name", "stores.url", "stores.legal_name", "stores.description"],
  ...["stores.categories", "products.title", "products.brand", "promotions.long_title", "promotions.fine_print"],
  ...["promotions.generic_redemption_code", "policies.question", "policies.answer", "policies.source_url"],
  ...["loyalty_programs.name", "loyalty_programs.description", "loyalty_tiers.name", "loyalty_tiers.perks"],
  ...["feed_loads.file_name", "feed_loads.refusal", "feed_loads.issues", "feed_sources.url", "feed_sources.last_error"],
  ...["usage_events.client_name", "usage_events.locale", "request_arguments.arguments", "request_arguments.problem"],
  ...[
    "failures.name",
    "failures.message",
    "failures.stack",
    "doctor_visits.arrived",
    "audit.after",
    "local_mails.text",
  ],
  ...["local_mails.subject", "sessions.address"],
];

beforeAll(async () => {
  const build = new URL("../../build/server/index.js", import.meta.url);
  routes = (await import(/* @vite-ignore */ build.href)).routes;
  fixture = await makeEverything();
});

describe("what strangers write", () => {
  it("is text on every page, in every dialog, for everybody who may open it", async () => {
    await fill(hostile);
    const served = new Set<string>();
    const shown = new Set<string>();
    const faults: string[] = [];
    let pages = 0;
    const visits = Object.entries(fixture.visitors).map(async ([who, visitor]) => {
      const seen = new Set<string>();
      const waiting = [...fixture.links];
      const [linked, statuses] = [new Set<string>(), new Map<string, number>()];
      for (const id of Object.keys(routes)) waiting.push(...pathsOf(id));
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        const url = pageAt(path);
        if (url.origin !== server.url || seen.has(kindOf(url)) || url.pathname.startsWith("/api/")) continue;
        seen.add(kindOf(url));
        const page = await visitor.get(url.pathname + url.search);
        statuses.set(kindOf(url), page.status);
        const type = page.headers.get("content-type") ?? "";
        const at = `${who} ${url.pathname}${url.search}`;
        if (page.status >= 500) faults.push(`${at}: ${page.status} ${page.html.slice(0, 300)}`);
        const policy = page.headers.get("content-security-policy") ?? "";
        if (page.headers.get("x-content-type-options") !== "nosniff") faults.push(`${at}: no nosniff`);
        if (page.headers.get("referrer-policy") !== "same-origin") faults.push(`${at}: tells others where one was`);
        if (/^text\//.test(type) && !/; ?charset=utf-8$/i.test(type)) faults.push(`${at}: ${type}, in what charset?`);
        for (const [field] of page.html.matchAll(/<input[^>]*name="[^"]*password"[^>]*>/gi))
          if (
            !/type="password"/.test(field) ||
            !/autocomplete="(current|new)-password"/i.test(field) ||
            /readonly/i.test(field)
          )
            faults.push(`${at}: ${field} is not masked, or no password manager's`);
        if (!type.startsWith("text/html")) {
          if (/alive/.test(page.html) && !/^(text\/csv|text\/plain|text\/markdown|application\/(json|zip))/.test(type))
            faults.push(`${at}: data as ${type}`);
          continue;
        }
        for (const directive of [
          "default-src 'none'",
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ])
          if (!policy.includes(directive)) faults.push(`${at}: the policy lacks ${directive}`);
        if (page.headers.get("cache-control") !== "no-store") faults.push(`${at}: may be kept`);
        const nonce = /script-src 'self' 'nonce-([\w+/=]+)';/.exec(policy)?.[1];
        if (!nonce || /unsafe|script-src[^;]*(\*|https?:|data:)/.test(policy))
          faults.push(`${at}: the policy is ${policy}`);
        const reading = readHtml(page.html, url.href, nonce ?? "");
        pages += 1;
        for (const fault of reading.faults) faults.push(`${at}: ${fault}`);
        for (const name of reading.shown) shown.add(name);
        if (page.status === 200 || url.pathname.endsWith("/nowhere")) served.add(url.pathname);
        if (page.status === 200) for (const link of reading.links) linked.add(kindOf(pageAt(link)));
        waiting.push(...reading.links);
      }
      for (const kind of linked)
        if (statuses.get(kind)! >= 400) faults.push(`${who}: a link leads to ${kind}, which is ${statuses.get(kind)}`);
    });
    await Promise.all(visits);
    expect([...new Set(faults)]).toEqual([]);
    const isFrame = (id: string) => Object.values(routes).some(({ parentId }) => parentId === id);
    const isServed = ({ id }: Route) =>
      pathsOf(id).some(
        (path) => served.has(path) || (isFrame(id) && [...served].some((one) => one.startsWith(`${path}/`))),
      );
    const unserved = Object.values(routes).filter((route) => route.module.default && !isServed(route));
    expect(unserved.map(({ id }) => id)).toEqual([]);
    expect(read.filter((name) => !shown.has(name))).toEqual([]);
    expect(pages).toBeGreaterThan(200);
  }, 240_000);

  it("is one line of JSON in the log, whatever lines it would make", async () => {
    const { value: key } = await issueKey(database, (await makeConsumer(database)).id);
    const method = 'x\r\n{"level":60,"msg":"forged"}\u2028\u001b[2J';
    await rpc(server.url, key, method, {}, { headers: { "user-agent": method.replace(/[^\x20-\x7e]/g, "") } });
    const lines = (await logOf(server))
      .split("\n")
      .slice(0, -1) // the last one may not be whole yet
      .filter((line) => line.startsWith("{") || line.includes("forged"));
    const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(logged.length).toBeGreaterThan(3);
    expect(logged.filter(({ level, msg }) => level === 60 || msg === "forged")).toEqual([]);
  });

  it("is no formula in any CSV file", async () => {
    await fill((name) => hostile(name, "=1+"));
    const { owner, operator, merchant } = fixture.visitors;
    const { storeId, loadId } = fixture.routeParams;
    const uses = ["time", "tool", "store", "key", "client", "locale", "error"].map(
      (by) => `usage.csv?range=24h&by=${by}`,
    );
    // A further such route needs its line below.
    expect(Object.keys(routes).filter((id) => /csv|bad-rows/.test(id))).toHaveLength(4);
    const files: [Visitor, string][] = [
      ...uses.map((use): [Visitor, string] => [owner!, `/console/${use}`]),
      ...[...uses, "usage.csv?range=24h&by=consumer", "audit.csv"].map((use): [Visitor, string] => [
        operator!,
        `/admin/${use}`,
      ]),
      [merchant!, `/merchant/catalogue/${storeId}/loads/${loadId}/bad-rows`],
    ];
    let neutralised = 0;
    for (const [visitor, path] of files) {
      const { status, headers, html } = await visitor.get(path);
      expect([status, headers.get("content-type")], path).toEqual([200, "text/csv; charset=utf-8"]);
      expect(headers.get("content-disposition"), path).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
      const cells = (parseCsv(html, { bom: true }) as string[][]).flat();
      expect(
        cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && Number.isNaN(Number(cell))),
        path,
      ).toEqual([]);
      neutralised += cells.filter((cell) => cell.startsWith("'=1+alive()")).length;
    }
    expect(neutralised).toBeGreaterThan(5);
    const named = await operator!.get(`/admin/usage.csv?consumer=${encodeURIComponent('x"; filename="x.exe')}`);
    expect(named.headers.get("content-disposition") ?? "").not.toContain('.exe"');
  });

  it("is refused, field by field, where it holds characters that nobody sees", async () => {
    for (const name of ["Ada\0Byrne", "Ada \u202eenryB"]) {
      const { status, words } = await fixture.visitors.newcomer!.post("/account?index", { about: "name", name });
      expect(status).toBe(400);
      expect(words).toContain("Remove the invisible characters");
    }
    const who = fixture.visitors.owner!;
    const { status, words } = await who.post("/console/keys", { intent: "issue", name: "ke\u202ey", expires: "never" });
    expect(status, words).toBe(400);
    expect(await database.sql`select from keys where name like '%' || chr(8238) || '%'`).toHaveLength(0);
  });
});
