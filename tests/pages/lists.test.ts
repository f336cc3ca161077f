// Lists whose address says what is looked for and where the page begins: what of it cannot be read is told on the page itself.
import { beforeAll, describe, expect, it } from "vitest";
import { consumers } from "../../db/schema/consumers";
import { testDatabase } from "../support/database";
import { makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { makePerson, signIn } from "../support/roles";
import { testServer } from "../support/server";
import { type Visitor, visitorAs } from "../support/visitor";

const database = testDatabase();
const server = testServer(database);

type Role = "owner" | "operator" | "merchant";
let visitors: Record<Role, Visitor>;
let pages: Record<"consumer" | "store", { slug: string; id: string }>;

beforeAll(async () => {
  const consumer = await makeConsumer(database, { state: "production" });
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  pages = { consumer, store };
  const as = (cookie: string | undefined) => visitorAs(server.url, cookie);
  visitors = {
    owner: as(await signIn(database, consumer.owner)),
    operator: as((await makePerson(database, "operator", consumer.id)).cookie),
    merchant: as(await signIn(database, { id: accountId })),
  };
});

const filled = (path: string) =>
  path.replace("$slug", pages.consumer.slug).replace("$store", pages.store.slug).replace("$id", pages.store.id);

describe("a list whose address has a mangled cursor, or one of another list", () => {
  const lists: [who: Role, path: string][] = [
    ["owner", "/console/requests"],
    ["owner", "/console/coverage"],
    ["owner", "/console/coverage?view=ended"],
    ["operator", "/admin"],
    ["operator", "/admin/requests"],
    ["operator", "/admin/merchants"],
    ["operator", "/admin/consumers"],
    ["operator", "/admin/consumers/$slug/coverage"],
    ["operator", "/admin/consumers/$slug/coverage?view=ended"],
    ["operator", "/admin/consumers/$slug/history"],
    ["operator", "/admin/audit"],
    ["merchant", "/merchant"],
    ["merchant", "/merchant/agents"],
    ["merchant", "/merchant/notifications"],
    ["merchant", "/merchant/catalogue/$id"],
    ["merchant", "/merchant/stores/$store/products"],
    ["merchant", "/merchant/stores/$store/promotions"],
  ];

  it.each(lists)("begins at its start and says so: %s at %s", async (who, path) => {
    const sep = path.includes("?") ? "&" : "?";
    for (const cursor of ["junk", "x".repeat(3_000), "%00"]) {
      const { status, words } = await visitors[who].get(`${filled(path)}${sep}cursor=${cursor}`);
      expect([status, words]).toEqual([200, expect.stringContaining("That page is gone.")]);
    }
    expect((await visitors[who].get(filled(path))).words).not.toContain("That page is gone.");
  });

  it("is known by the query that a cursor came with", async () => {
    const { operator } = visitors;
    const values = Array.from({ length: 51 }, (_, i) => `(gen_random_uuid(), 'Turning ${i}')`);
    await database.sql.unsafe(`insert into merchants (id, name) values ${values.join(",")}`);
    const first = await operator.get("/admin/merchants?q=Turning");
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.html)![1]!.replace(/&amp;/g, "&");
    const other = await operator.get(`/admin/merchants?${next.slice(1).replace("q=Turning", "q=Turn")}`);
    expect(other.words).toContain("That page is gone. Showing the first page.");
    expect(other.words).toContain("Turning 0 ");
  });
});

describe("a later page of a list", () => {
  it("begins at the start and says so once nothing is left of it", async () => {
    const { operator } = visitors;
    const values = Array.from({ length: 51 }, (_, i) => `(gen_random_uuid(), 'Emptied ${i + 100}')`);
    await database.sql.unsafe(`insert into merchants (id, name) values ${values.join(",")}`);
    const { next } = stepsOf((await operator.get("/admin/merchants?q=Emptied")).html);
    const { previous } = stepsOf((await operator.get(`/admin/merchants${next}`)).html);
    await database.sql`update merchants set name = 'Gone' where name = 'Emptied 150'`;
    const emptied = await operator.get(`/admin/merchants${next}`);
    expect(emptied.words).toContain("That page is gone. Showing the first page.");
    expect(emptied.words).toContain("Emptied 100 ");
    await database.sql`update merchants set name = 'Gone' where name like 'Emptied %' and name < 'Emptied 150'`;
    await database.sql`update merchants set name = 'Emptied 150' where id = (select id from merchants where name = 'Gone' limit 1)`;
    expect((await operator.get(`/admin/merchants${previous}`)).words).toContain("Emptied 150 ");
  });
});

/** What its foot offers: where Previous and Next lead to, null where they lead nowhere; undefined where they are not. */
function stepsOf(html: string) {
  const foot = /<nav[^>]*aria-label="Pages".*?<\/nav>/s.exec(html)?.[0] ?? "";
  const stepOf = (label: string) => {
    const step = new RegExp(`<(a|button)([^>]*)>(?:(?!</?(?:a|button)).)*?${label}.*?</\\1>`, "s").exec(foot);
    if (!step) return undefined;
    const [, kind, attributes] = step;
    if (kind === "button") return /\bdisabled\b/.test(attributes!) ? null : "a button that can be pressed";
    return /href="[^"?]*([^"]*)"/.exec(attributes!)![1]!.replaceAll("&amp;", "&");
  };
  return { previous: stepOf("Previous"), next: stepOf("Next") };
}

describe("a list's foot", () => {
  it("of one page has no way to turn it, and of several only where there is another", async () => {
    const { operator } = visitors;
    const values = Array.from({ length: 101 }, (_, i) => `(gen_random_uuid(), 'Footed ${String(i).padStart(3, "0")}')`);
    await database.sql.unsafe(`insert into merchants (id, name) values ${values.join(",")}`);
    const at = async (query: string) => stepsOf((await operator.get(`/admin/merchants${query}`)).html);
    expect(await at("?q=Footed+001")).toEqual({ previous: undefined, next: undefined });
    const first = await at("?q=Footed");
    expect(first).toEqual({ previous: null, next: expect.stringMatching(/^\?q=Footed&cursor=/) });
    const second = await at(first.next!);
    expect(second).toEqual({ previous: expect.stringContaining("cursor="), next: expect.stringContaining("cursor=") });
    expect(await at(second.next!)).toEqual({ previous: expect.stringContaining("cursor="), next: null });
    expect(await at(second.previous!)).toEqual(first);
  });

  it("leads on without the dialog that is open, and without what was just done", async () => {
    const { html } = await visitors.operator.get("/admin/merchants?q=Footed&dialog=new&id=x&done=saved");
    expect(stepsOf(html).next).toMatch(/^\?q=Footed&cursor=[^&]*$/);
  });

  it("opens a dialog over what was looked for, without another that is open, and without what was just done", async () => {
    const { html } = await visitors.operator.get("/admin/merchants?q=Footed&dialog=other&id=x&done=saved");
    const link = /<a[^>]*href="([^"]*)"[^>]*>(?:(?!<\/a>).)*New merchant/s.exec(html)![1]!;
    expect(link.replaceAll("&amp;", "&")).toBe("/admin/merchants?q=Footed&dialog=new");
  });
});

describe("a row of a list", () => {
  const bodyOf = (html: string) => /<tbody.*?<\/tbody>/s.exec(html)![0];

  it("is little to send: what all rows look like is said once", async () => {
    const values = Array.from({ length: 50 }, (_, i) => `(gen_random_uuid(), 'Light ${i}')`);
    await database.sql.unsafe(`insert into merchants (id, name) values ${values.join(",")}`);
    const { html } = await visitors.operator.get("/admin/merchants?q=Light");
    expect(html).toContain("Light 49");
    expect(bodyOf(html).length / 50).toBeLessThan(3_000);
  });

  it("of the audit adds but its words for each field that changed", async () => {
    const targetId = crypto.randomUUID();
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, `v${i}`]));
    const size = async (count: number) => {
      await database.sql`
        insert into audit (id, actor_kind, action, target_kind, target_id, after, request_id)
        values (${crypto.randomUUID()}, 'system', 'settings.change', 'settings', ${`${targetId}-${count}`},
          ${database.sql.json(fields(count))}, ${crypto.randomUUID()})`;
      const { html, words } = await visitors.operator.get(`/admin/audit?targetId=${targetId}-${count}`);
      expect(words).toContain(`v${count - 1}`);
      return bodyOf(html).length;
    };
    expect(((await size(110)) - (await size(10))) / 100).toBeLessThan(60);
  });
});

describe("a list of many pages", () => {
  it("is walked back as it was walked forth, each page once", async () => {
    const { operator } = visitors;
    const many = Array.from({ length: 610 }, (_, i) => {
      const name = `walked-${String(i).padStart(3, "0")}`;
      return { slug: name, name, state: "sandbox" as const, scopes: [], rateLimit: 60, maxKeys: 2 };
    });
    await database.db.insert(consumers).values(many);
    /** The first consumer of each page from there on, to the last page. */
    const walk = async (from: string, way: "Previous" | "Next") => {
      const firsts: string[] = [];
      let address = from;
      for (;;) {
        const { html } = await operator.get(address);
        firsts.push(/href="\/admin\/consumers\/(walked-\d+)"/.exec(html)![1]!);
        const links = [...html.matchAll(/<a[^>]*href="([^"]*cursor=[^"]*)"[^>]*>(.*?)<\/a>/gs)];
        const next = links.find(([, , text]) => text!.includes(way))?.[1];
        if (next === undefined) return { firsts, last: address };
        address = next.replaceAll("&amp;", "&");
      }
    };
    const forth = await walk("/admin/consumers?q=walked-", "Next");
    expect(forth.firsts).toEqual(many.filter((_, i) => i % 50 === 0).map(({ slug }) => slug));
    expect((await walk(forth.last, "Previous")).firsts).toEqual(forth.firsts.toReversed());
  });
});

const LONG = "Use at most";
const CHOOSE = "Choose an option from the list.";

describe("a list whose filter cannot be read", () => {
  const long = "long ".repeat(60).trim();
  const filters: [who: Role, path: string, name: string, value: string, told: string][] = [
    ["owner", "/console/requests", "id", "abc", "A request id has 36 characters"],
    ["owner", "/console/requests", "key", "x", CHOOSE],
    ["owner", "/console/requests", "outcome", "abc", CHOOSE],
    ["owner", "/console/requests", "tool", long, LONG],
    ["owner", "/console/requests", "code", long, LONG],
    ["owner", "/console/requests", "from", "junk", "Enter a day and a time"],
    ["owner", "/console/coverage", "q", long, LONG],
    ["owner", "/console/coverage", "country", "nowhere", "Choose a country from the list."],
    ["owner", "/console/coverage?view=ended", "country", "nowhere", "Choose a country from the list."],
    ["operator", "/admin/requests", "consumer", long, LONG],
    ["operator", "/admin/requests", "consumer", "nobody", "There is no such consumer."],
    ["operator", "/admin/requests", "outcome", "abc", CHOOSE],
    ["operator", "/admin/usage", "consumer", long, LONG],
    ["operator", "/admin/usage", "consumer", "nobody", "There is no such consumer."],
    ["operator", "/admin/merchants", "q", long, LONG],
    ["operator", "/admin/consumers", "q", long, LONG],
    ["operator", "/admin/consumers", "state", "abc", CHOOSE],
    ["operator", "/admin/consumers", "coverage", "abc", CHOOSE],
    ["operator", "/admin/consumers/$slug/coverage", "q", long, LONG],
    ["operator", "/admin/consumers/$slug/coverage?view=ended", "country", "nowhere", "Choose a country from the list."],
    ["operator", "/admin/audit", "person", long, LONG],
    ["operator", "/admin/audit", "actorKind", "abc", CHOOSE],
    ["operator", "/admin/audit", "action", "!", "Enter an action, such as key.revoke"],
    ["operator", "/admin/audit", "targetKind", long, LONG],
    ["operator", "/admin/audit", "targetId", long, LONG],
    ["operator", "/admin/audit", "requestId", "x", "Enter a request id"],
    ["merchant", "/merchant/agents", "q", long, LONG],
    ["merchant", "/merchant/agents/$slug", "q", long, LONG],
    ["merchant", "/merchant/stores/$store/products", "q", long, LONG],
  ];

  it.each(filters)("keeps what was typed, says what is wrong and finds nothing: %s at %s, %s", async (...given) => {
    const [who, path, name, value, told] = given;
    const address = `${filled(path)}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ [name]: value })}`;
    // A cursor that cannot be read either is no matter then.
    for (const end of ["", "&cursor=junk"]) {
      const { status, words, html } = await visitors[who].get(address + end);
      expect([status, words]).toEqual([200, expect.stringContaining(told)]);
      expect(html.includes(`value="${value}"`), "kept").toBe(true);
      if (path !== "/admin/usage") expect(words).toContain("The filter was not applied");
      // Codes have no field of their own.
      if (name !== "code")
        expect(html).toMatch(
          new RegExp(`aria-invalid="true"[^>]*name="${name}"|name="${name}"[^>]*aria-invalid="true"`),
        );
    }
  });

  it("names characters that cannot be seen", async () => {
    for (const path of ["/admin/merchants", "/admin/consumers"]) {
      const { status, words } = await visitors.operator.get(`${path}?q=%00`);
      expect([status, words]).toEqual([200, expect.stringContaining("Remove the invisible characters")]);
    }
  });
});

describe("the keys that work no more", () => {
  it.each<[Role, string]>([
    ["owner", "/console/keys"],
    ["operator", "/admin/consumers/$slug/keys"],
  ])("are the two hundred that ended last, and %s is told so at %s", async (who, path) => {
    expect((await visitors[who].get(filled(path))).words).not.toContain("that ended last");
    await database.sql`
      insert into keys (id, consumer_id, name, hash, start, "end", scopes, line, revoked_at)
      select gen_random_uuid(), ${pages.consumer.id}, 'Of a script', sha256(uuid_send(gen_random_uuid())), 'aisle_0000', '0000',
        '{catalog:read}', gen_random_uuid(), now() from generate_series(1, 210)`;
    const { words } = await visitors[who].get(filled(path));
    expect(words).toContain("Expired and revoked The 200 that ended last.");
    expect(words.match(/Of a script/g)).toHaveLength(200);
    await database.sql`delete from keys where consumer_id = ${pages.consumer.id}`;
  });
});
