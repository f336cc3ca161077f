// The public pages for who is logged in, and what every part of the site says of pages that it does not have.
import { readdirSync } from "node:fs";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { snippets } from "../../app/lib/snippets";
import { tools } from "../../server/tools";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { makePerson, type Role } from "../support/roles";
import { startServer, testServer } from "../support/server";
import { type SilentWay, silentWay } from "../support/silent-way";
import { readable, type Visitor, visitorAs } from "../support/visitor";
import { exchange } from "../support/wire";

const database = testDatabase();
const server = testServer(database, {}, { expected: /\\"usage_rollups\\" does not exist/ });
const cookies = {} as Record<"nobody" | "newcomer" | "owner" | "operator" | "merchant", string | undefined>;
const visitors = {} as Record<keyof typeof cookies, Visitor>;
beforeAll(async () => {
  const { id } = await makeConsumer(database);
  for (const role of ["nobody", "newcomer", "owner", "operator", "merchant"] as const) {
    cookies[role] = (await makePerson(database, role satisfies Role, id)).cookie;
    visitors[role] = visitorAs(server.url, cookies[role]);
  }
});

describe("the head of a public page", () => {
  it.each(["/", "/docs", "/docs/search_products"])(
    "%s leads whoever is logged in to their own place, and everybody else to log in",
    async (path) => {
      const stranger = (await visitors.nobody.get(path)).html;
      for (const to of ["/login", "/signup"]) expect(stranger).toContain(`href="${to}"`);
      for (const [role, to, label] of [
        ["owner", "/console", "Console"],
        ["operator", "/admin", "Operator pages"],
        ["merchant", "/merchant", "Merchant pages"],
        ["newcomer", "/apply", "Apply for access"],
      ] as const) {
        const { html, headers } = await visitors[role].get(path);
        expect(html).toMatch(new RegExp(`<a [^>]*href="${to}"[^>]*>${label}</a>`));
        for (const door of ["/login", "/signup"]) expect(html).not.toContain(`href="${door}"`);
        expect(headers.get("cache-control")).toBe("no-store");
      }
    },
  );
});

it("the account leads back to where its person begins, by its name", async () => {
  for (const [role, to, label] of [
    ["owner", "/console", "Console"],
    ["operator", "/admin", "Operator pages"],
    ["merchant", "/merchant", "Merchant pages"],
    ["newcomer", "/apply", "Apply for access"],
  ] as const) {
    const { html } = await visitors[role].get("/account/sessions");
    expect(html, role).toMatch(new RegExp(`<a [^>]*href="${to}"[^>]*>(<svg.*?</svg>)?<span[^>]*>${label}</span></a>`));
  }
});

it("a page leaves in a few pieces, though React writes two kilobytes at a time", async () => {
  const { hostname, port } = new URL(server.url);
  const { raw } = await exchange(
    server.url,
    `GET /docs HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`,
  );
  const body = raw.slice(raw.indexOf("\r\n\r\n") + 4);
  const sizes: number[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Number.parseInt(body.slice(at, body.indexOf("\r\n", at)), 16);
    sizes.push(size);
    at = body.indexOf("\r\n", at) + 2 + size + 2;
  }
  expect(sizes.at(-1)).toBe(0);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(30_000);
  expect(sizes.length).toBeLessThan(8);
});

describe("the start page", () => {
  it("leads from each tool to its documentation, and connects each client, as the documentation does", async () => {
    const { html } = await visitors.nobody.get("/");
    for (const { name } of tools) expect(html).toContain(`href="/docs/${name}"`);
    const clients = snippets({ endpoint: `${server.url}/api/mcp` });
    for (const page of [html, (await visitors.nobody.get("/docs")).html])
      for (const { label } of clients) expect(page).toContain(`${label}</label>`);
  });
});

it("the documentation leads to the Playground whoever has a console or may have one, and others to apply for it", async () => {
  for (const path of ["/docs", "/docs/search_products"]) {
    for (const role of ["nobody", "newcomer", "owner"] as const)
      expect((await visitors[role].get(path)).html, `${path} for ${role}`).toContain('href="/console/playground');
    for (const role of ["operator", "merchant"] as const)
      expect((await visitors[role].get(path)).html, `${path} for ${role}`).not.toContain('href="/console');
  }
  for (const role of ["operator", "merchant"] as const)
    expect((await visitors[role].get("/docs")).html).toContain('href="/apply"');
});

it("that keys outlive a log-out is said to whom a platform's keys are", async () => {
  for (const [role, isSaid] of [
    ["owner", true],
    ["merchant", false],
  ] as const) {
    const { words } = await visitors[role].get("/account/sessions?dialog=everywhere");
    expect(words, role).toContain("All your sessions end, including this one.");
    expect(words.includes("Keys keep working."), role).toBe(isSaid);
  }
});

describe("robots.txt", () => {
  it("lets crawlers read the public pages, and no other page, procedure or address with a token", async () => {
    const { status, headers, html: text } = await visitors.nobody.get("/robots.txt");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    // As RFC 9309 has it: the longest rule that fits holds.
    const rules = [...text.matchAll(/^(Allow|Disallow): (.+)$/gm)].map(([, verb, path]) => ({ verb, path: path! }));
    const fits = (path: string, at: string) =>
      path.endsWith("$") ? at === path.slice(0, -1) : at.startsWith(path.replace(/\*$/, ""));
    const mayRead = (at: string) =>
      rules.filter(({ path }) => fits(path, at)).toSorted((a, b) => b.path.length - a.path.length)[0]?.verb !==
      "Disallow";
    const open = ["/", "/docs", "/docs/search_products", "/llms.txt", "/sitemap.xml", "/terms", "/signup", "/login"];
    for (const path of open)
      expect([path, mayRead(path), (await visitors.nobody.get(path)).status]).toEqual([path, true, 200]);
    const routes = readdirSync(new URL("../../app/routes/", import.meta.url))
      .map((name) =>
        name
          .replace(/\.tsx?$/, "")
          .replaceAll("[.]", "%")
          .replaceAll("_.", "."),
      )
      .map(
        (name) =>
          `/${name
            .replace(/(^|\.)_index$/, "")
            .replaceAll(".", "/")
            .replaceAll("%", ".")}`,
      );
    const drawnWith = /^\/(docs|demo-images)(\/|$)/;
    const closed = routes.filter((path) => !open.includes(path) && !drawnWith.test(path) && path !== "/robots.txt");
    const withTokens = ["/signup?invitation=x", "/login?to=%2Finvitation%3Ftoken%3Dx", "/verify?token=x", "/?x"];
    expect(closed.length).toBeGreaterThan(70);
    expect([...closed, ...withTokens].filter(mayRead)).toEqual([]);
  });
});

describe("elsewhere", () => {
  /** By its very path, which a URL would read as another host's. */
  const fetchedAs = async (path: string) => ({ html: await (await fetch(server.url + path)).text() });
  const publicPages = ["/", "/docs", ...tools.map(({ name }) => `/docs/${name}`), "/terms", "/signup"];

  it("the sitemap, which robots.txt names, has every public page by the address that the page gives itself", async () => {
    expect((await visitors.nobody.get("/robots.txt")).html).toContain(`\nSitemap: ${server.url}/sitemap.xml\n`);
    const { status, headers, html: xml } = await visitors.nobody.get("/sitemap.xml");
    expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
    const listed = [...xml.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, address]) => address!);
    expect(listed).toEqual(publicPages.map((path) => server.url + path));
    for (const address of listed) {
      const { html } = await visitors.nobody.get(`${new URL(address).pathname}?from=elsewhere`);
      expect(html).toContain(`<link rel="canonical" href="${address}"/>`);
    }
  });

  it("has one address for a page, however many slashes lead to it, and none of another site's", async () => {
    for (const [path, address] of [
      ["//", "/"],
      ["/docs/", "/docs"],
      ["/docs/get_offers/", "/docs/get_offers"],
    ] as const) {
      const { html } = await fetchedAs(path);
      expect(html, path).toContain(`<link rel="canonical" href="${server.url}${address}"/>`);
    }
  });

  it("a link to a public page is shown with its title, what it is, and a picture that others may show", async () => {
    const described = new Set<string>();
    for (const path of publicPages) {
      const { html } = await visitors.nobody.get(path);
      const property = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]+)"/>`).exec(html)?.[1];
      expect(property("title"), path).toBe(/<title>(.+?)<\/title>/.exec(html)![1]);
      expect(html).toContain(`<meta name="description" content="${property("description")}"/>`);
      expect(property("url")).toBe(server.url + path);
      expect(property("image")).toBe(`${server.url}/icons/link-preview.png`);
      described.add(property("description")!);
    }
    expect(described.size).toBe(publicPages.length);
    const picture = await fetch(`${server.url}/icons/link-preview.png`);
    expect(picture.headers.get("content-type")).toBe("image/png");
    expect(picture.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  });

  it("a page for one person alone has no address for others, nor a picture", async () => {
    const { html } = await visitors.owner.get("/console/keys");
    expect(html).not.toMatch(/"og:|rel="canonical"/);
  });

  it("has an icon where clients look for one that read no page", async () => {
    const icon = await fetch(`${server.url}/favicon.ico`);
    expect(icon.status).toBe(200);
    expect(Buffer.from(await icon.arrayBuffer()).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  });
});

const NONE = "01900000-0000-7000-8000-000000000001";
/** By role and by the page that is offered: what is not there. */
const missing: [role: keyof typeof visitors, to: string, label: string, paths: string[]][] = [
  ["nobody", "/", "the start page", ["/nowhere", "/some/where/else"]],
  ["nobody", "/docs", "the documentation", ["/docs/nothing"]],
  ["owner", "/console", "Overview", ["/console/nowhere", "/console/no/where"]],
  ["owner", "/console/docs", "Docs", ["/console/docs/nothing"]],
  ["owner", "/console/requests", "Requests", [`/console/requests/${NONE}`]],
  ["owner", "/account", "your account", ["/account/nowhere"]],
  ["operator", "/admin", "Review", ["/admin/nowhere", "/admin/review/none"]],
  [
    ...(["operator", "/admin/consumers", "Consumers"] as const),
    ["none", "none/keys", "none/no/where"].map((path) => `/admin/consumers/${path}`),
  ],
  [
    ...(["operator", "/admin/merchants", "Merchants"] as const),
    [NONE, `${NONE}/stores/${NONE}`, "mistyped", `${NONE}/stores/mistyped`].map((path) => `/admin/merchants/${path}`),
  ],
  ["operator", "/admin/requests", "Requests", [`/admin/requests/${NONE}`]],
  ["operator", "/admin/terms", "Terms", ["/admin/terms/2020-01-01"]],
  [
    "merchant",
    "/merchant",
    "Stores",
    ["nowhere", "stores/none", "stores/none/products"].map((path) => `/merchant/${path}`),
  ],
  ["merchant", "/merchant/agents", "AI Agents", ["/merchant/agents/none?store=none"]],
  [
    ...(["merchant", "/merchant/catalogue", "Catalogue"] as const),
    [NONE, "mistyped", "mistyped/nowhere"].map((path) => `/merchant/catalogue/${path}`),
  ],
  [
    ...(["merchant", `/merchant/catalogue/${NONE}`, "the store's catalogue"] as const),
    [NONE, "mistyped"].map((load) => `/merchant/catalogue/${NONE}/loads/${load}`),
  ],
];

/** Where the buttons of an error page lead, by their words. */
const waysOn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.slice(html.indexOf("<h1")).matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, to, label]) => [
      readable(label!),
      to!,
    ]),
  );

describe("a page that is not there", () => {
  it.each(missing)(
    "says so in its title, and leads %s to %s, where it would be listed",
    async (role, to, label, paths) => {
      for (const path of paths) {
        const { status, html } = await visitors[role].get(path);
        expect([status, /<title>(.*?)<\/title>/.exec(html)![1]], path).toEqual([404, "Not found · Aisle"]);
        expect(waysOn(html), path).toEqual({ [`Go to ${label}`]: to });
      }
    },
  );

  it.each([
    ["owner", "/console/nowhere"],
    ["operator", "/admin/no/where"],
    ["merchant", "/merchant/nowhere"],
  ] as const)("keeps the menu of the part of the site that its address is in, as %s at %s", async (role, path) => {
    const { status, html } = await visitors[role].get(path);
    expect(status).toBe(404);
    expect(html).toContain('<nav aria-label="Main"');
  });

  it("is so to who may not see the others there, too: nobody logs in to learn that", async () => {
    for (const [role, path] of [
      ["nobody", "/console/nowhere"],
      ["owner", "/admin/nowhere"],
      ["operator", "/console/nowhere"],
      ["owner", "/merchant/nowhere"],
    ] as const)
      expect((await visitors[role].get(path)).status, `${role} at ${path}`).toBe(404);
  });

  it("leads to the page of a merchant that is there, where the store would be listed", async () => {
    const { merchantId } = await makeStore(database);
    const [merchant] = await database.sql<{ name: string }[]>`select name from merchants where id = ${merchantId}`;
    const { status, html } = await visitors.operator.get(`/admin/merchants/${merchantId}/stores/${NONE}`);
    expect([status, /<title>(.*?)<\/title>/.exec(html)![1]]).toEqual([404, "Not found · Aisle"]);
    expect(waysOn(html)).toEqual({ [`Go to ${merchant!.name}`]: `/admin/merchants/${merchantId}` });
  });

  it("leads back to the page of a form that was about something which is gone", async () => {
    const { slug } = await makeConsumer(database);
    const members = `/admin/consumers/${slug}/members`;
    const cases: [
      role: keyof typeof visitors,
      path: string,
      fields: Record<string, string>,
      to: string,
      what: string,
    ][] = [
      ["owner", "/console/keys?dialog=rotate", { intent: "rotate", id: NONE }, "/console/keys", "key"],
      ["operator", `${members}?dialog=remove&id=${NONE}`, { intent: "remove", id: NONE }, members, "member"],
    ];
    for (const [role, path, fields, to, what] of cases) {
      const { status, html, words } = await visitors[role].post(path, fields);
      expect([status, waysOn(html)["Load the page again"]], path).toEqual([404, to]);
      expect(words).toContain(`There is no such ${what} Somebody may have removed it in the meantime.`);
    }
  });

  it("is called by what it would show, where that is what is missing", async () => {
    const { words } = await visitors.operator.get("/admin/consumers/none");
    expect(words).toContain('There is no such consumer "none" The address may be mistyped, or what it led to is gone.');
    expect((await visitors.operator.get("/admin/nowhere")).words).toContain("There is no such page The address");
  });

  it("lets a stranger change the theme, as every public page does", async () => {
    for (const path of ["/nowhere", "/docs/nothing", "/", "/docs", "/terms", "/login"]) {
      const { html } = await visitors.nobody.get(path);
      expect(html, path).toContain('action="/theme"');
    }
  });

  it("is told from one that is not theirs, which leads to where they begin", async () => {
    const { status, html, words } = await visitors.owner.get("/admin");
    expect([status, /<title>(.*?)<\/title>/.exec(html)![1]]).toEqual([403, "No access · Aisle"]);
    expect(words).toContain("Go to your pages");
    expect(html).toContain('href="/console"');
  });
});

describe("a failure of ours", () => {
  it("is told once, with its request id, a way to try again and a way out", async () => {
    await database.sql`alter table usage_rollups rename to elsewhere`;
    const { status, words, headers } = await visitors.owner.get("/console/usage");
    await database.sql`alter table elsewhere rename to usage_rollups`;
    expect(status).toBe(500);
    expect(words.match(/went wrong on our side/g)).toHaveLength(1);
    for (const part of [headers.get("x-request-id")!, "Try again", "Go to Overview"]) expect(words).toContain(part);
  });

  it.each([
    ["is away", (way: SilentWay) => way.close()],
    ["does not answer", (way: SilentWay) => way.swallow("answers")],
  ])("is a page also for who is logged in while the database %s, and data for a page that is open", async (_, hurt) => {
    const way = await silentWay(database.url);
    onTestFinished(() => way.close());
    const apart = await startServer(way.url, {}, { expected: /"(database unavailable|job failed)"/ });
    onTestFinished(() => apart.stop("SIGKILL"));
    const visitor = visitorAs(apart.url, cookies.owner);
    const paths = ["/console/keys", "/", "/console/keys.data", "/api/trpc/terms.current"];
    const look = () => Promise.all(paths.map(visitor.get));
    expect((await look()).map(({ status }) => status < 300)).toEqual([true, true, true, true]);
    hurt(way);
    const seen = await look();
    for (const { status, headers } of seen) expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    for (const { words, headers } of seen.slice(0, 2))
      for (const part of ["The service is busy", headers.get("x-request-id")!, "Try again"])
        expect(words).toContain(part);
    expect(seen[2]!.headers.get("content-type")).toContain("text/x-script");
    const data = { code: "unavailable", request_id: seen[3]!.headers.get("x-request-id") };
    expect(JSON.parse(seen[3]!.html)).toMatchObject({ error: { data } });
    // Whoever is told the id can be helped by it.
    const ids = seen.map(({ headers }) => headers.get("x-request-id")!);
    await expect.poll(() => ids.filter((id) => !apart.output().includes(id))).toEqual([]);
  });
});
