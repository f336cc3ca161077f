// The developer's console as a browser without scripts sees it: pages by GET, forms by POST.
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { consumers, members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import { callTool, issueExpiringKey, issueKey, rpc } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount, makeMerchant, makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { everythingStored } from "../support/people";
import { logOf, testServer } from "../support/server";
import { newTerms } from "../support/terms";
import { newVisitor } from "../support/visitor";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);
const { logIn, makeTeam } = logins(database, server);

const KEY = /aisle_[0-9A-Za-z]{36}/;
const application = {
  productName: "Basket Pal",
  platform: "Web chat",
  shopperUse: "Shoppers ask, it answers.",
  expectedRequestsPerDay: "2000",
  company: "Pal Ltd",
  website: "https://www.basketpal.com/about",
  technicalContactEmail: "tech@basketpal.com",
  acceptedTerms: "2026-09-26",
};

const stateOf = async (id: string) =>
  (await database.db.select().from(consumers).where(eq(consumers.id, id)))[0]!.state;
const keysOf = (id: string) =>
  database.sql`select id, name, scopes, start, expires_at, revoked_at, superseded_at from keys where consumer_id = ${id} order by id`;
const searchDemo = (key: string) => callTool(server.url, key, "search_products", { query: "tent", limit: 1 });

describe("applying", () => {
  it("is asked of a person without a platform; a stranger logs in first and comes back", async () => {
    const stranger = newVisitor(server.url);
    expect(await stranger.get("/console/keys")).toMatchObject({ status: 302, location: "/login?to=%2Fconsole%2Fkeys" });
    const person = await logIn(await makeAccount(database));
    expect(await person.get("/console")).toMatchObject({ status: 302, location: "/apply" });
    const page = await person.get("/apply");
    expect(page.status).toBe(200);
    expect(page.words).toContain("We accept the data-use terms, version 2026-09-26.");
    expect(page.words).toContain("Keep keys secret.");
  });

  it("with a website of the email's domain shows 'Sandbox key' in the answer to the form, and nowhere else", async () => {
    const account = await makeAccount(database, { email: "ada@basketpal.com" });
    const person = await logIn(account);
    const answer = await person.post("/apply", application);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const key = KEY.exec(answer.html)![0];
    expect(answer.words).toContain(`Authorization: Bearer ${key}`);
    expect((await searchDemo(key)).status).toBe(200);

    expect(JSON.stringify([...answer.headers])).not.toContain(key);
    // Sent again, by a reload: it leads to the console, and there is one key as before.
    const again = await person.post("/apply", application);
    expect(again).toMatchObject({ status: 302, location: "/console" });
    expect(await person.get("/apply")).toMatchObject({ status: 302, location: "/console" });
    const later = [
      "/console",
      "/console.data",
      "/console/_root.data",
      "/console/keys",
      "/console/keys.data",
      "/apply.data",
    ];
    for (const path of later) expect((await person.get(path)).html, path).not.toMatch(KEY);
    expect((await person.get("/console/keys")).words).toContain(`Sandbox key${key.slice(0, 10)}…${key.slice(-4)}`);
    expect(await everythingStored(database)).not.toContain(key);
    expect(await logOf(server)).not.toContain(key);
  });

  it("without one goes under review: Overview says what comes next, and the application can be changed", async () => {
    const account = await makeAccount(database, { email: "ada@elsewhere.dev" });
    const person = await logIn(account);
    expect(await person.post("/apply", application)).toMatchObject({ status: 302, location: "/console" });
    const overview = (await person.get("/console")).words;
    expect(overview).toContain("Your application is under review");
    expect(overview).toContain("An operator reviews it and replies by email.");
    expect(overview).toContain("Stores None");
    const saved = await person.post("/console/application", { ...application, company: "Basket Pal Ltd" });
    expect(saved).toMatchObject({ status: 302, location: "/console/application?done=saved" });
    const shown = await person.get(saved.location!);
    expect(shown.words).toContain("The review uses what you have entered here.");
    expect(shown.html).toContain("Basket Pal Ltd");
    const refused = await person.post("/console/application", { ...application, website: "basketpal" });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("Enter your website, such as example.com.");
    const issued = await person.post("/console/keys", { intent: "issue", name: "x", "scopes[]": "catalog:read" });
    expect(issued.status).toBe(409);
  });

  it("can be changed after a request was declined, to ask again; while a request waits it stands", async () => {
    const { consumer, owner, join } = await makeTeam();
    const developer = await join("developer");
    const reason = "The website says nothing of it. Please add a description.";
    await database.db
      .update(consumers)
      .set({ decidedAt: new Date(), decisionReason: reason })
      .where(eq(consumers.id, consumer.id));
    const overview = await owner.get("/console");
    expect(overview.words).toContain("An owner can edit the application and ask again.");
    expect(overview.html).toContain('href="/console/application"');
    expect((await owner.get("/console/application")).words).toContain(
      "You can change it until production access is requested.",
    );
    const changed = { ...application, website: "https://basketpal.com/agent" };
    expect((await developer.post("/console/application", changed)).status).toBe(403);
    const saved = await owner.post("/console/application", changed);
    expect(saved).toMatchObject({ status: 302, location: "/console/application?done=saved" });
    expect((await owner.get(saved.location!)).html).toContain("https://basketpal.com/agent");
    const [act] = await database.sql`select action, after->>'website' as website from audit
      where target_id = ${consumer.id} order by id desc limit 1`;
    expect(act).toEqual({ action: "application.edit", website: "https://basketpal.com/agent" });
    await database.db.update(consumers).set({ state: "production_requested" }).where(eq(consumers.id, consumer.id));
    expect((await owner.post("/console/application", changed)).status).toBe(409);
  });

  it.each(["production_requested", "revoked"] as const)(
    "that closes while it is being changed (%s) shows what was typed, beside what stands",
    async (state) => {
      const { consumer, owner } = await makeTeam();
      const revokedFrom = state === "revoked" ? "sandbox" : null;
      await database.db.update(consumers).set({ state, revokedFrom }).where(eq(consumers.id, consumer.id));
      const typed = { ...application, shopperUse: "Compares\nwhat is typed.", technicalContactEmail: "" };
      const stood = (await owner.get("/console/application")).words;
      expect(stood).not.toContain("What you typed");
      const refused = await owner.post("/console/application", typed);
      expect(refused.status).toBe(400);
      expect(refused.words).toContain("Technical contact None");
      const late = await owner.post("/console/application", { ...application, shopperUse: typed.shopperUse });
      expect(late.status).toBe(409);
      expect(late.words).toMatch(
        /What you typed It was not saved\..*Compares what is typed\..*What is saved .*Answers shoppers' questions\./,
      );
    },
  );

  it("is the same one where a browser without scripts sends it back as it was", async () => {
    const { consumer, owner } = await makeTeam();
    const shopperUse = "Compares tents.\n\nThen it links to them.";
    expect((await owner.post("/console/application", { ...application, shopperUse })).status).toBe(302);
    const again = { ...application, shopperUse: shopperUse.replaceAll("\n", "\r\n") };
    expect((await owner.post("/console/application", again)).status).toBe(302);
    expect(await database.sql`select shopper_use as said from applications where consumer_id = ${consumer.id}`).toEqual(
      [{ said: shopperUse }],
    );
    expect(await database.sql`select action from audit where target_id = ${consumer.id}`).toHaveLength(1);
  });

  it("takes a website as people say it, without https://", async () => {
    const account = await makeAccount(database, { email: "grace@basketpal.com" });
    const person = await logIn(account);
    const answer = await person.post("/apply", { ...application, website: " www.basketpal.com " });
    expect(answer.words).toContain("Sandbox key");
    expect((await person.get("/console/application")).html).toContain('value="https://www.basketpal.com"');
  });

  it("names what is wrong beside its field, and keeps what was typed", async () => {
    const person = await logIn(await makeAccount(database));
    const { acceptedTerms: _, ...unaccepted } = application;
    const answer = await person.post("/apply", { ...unaccepted, expectedRequestsPerDay: "many", company: "" });
    expect(answer.status).toBe(400);
    const wanted = "Enter how many requests a day you expect, as a whole number.";
    for (const said of [wanted, "Enter your company's name.", "Accept the data-use terms to continue."]) {
      expect(answer.words).toContain(said);
    }
    expect(answer.html).toContain('value="Basket Pal"');
    const long = `https://${"a".repeat(500)}.example`;
    // Fifty thousand, as it is written in half of Europe: not fifty.
    const other = await person.post("/apply", { ...application, expectedRequestsPerDay: "50.000", website: long });
    expect(other.words).toContain(wanted);
    expect(other.words).toContain("Use at most 500 characters.");
  });

  it("shows the new terms where others were shown than are current", async () => {
    const person = await logIn(await makeAccount(database));
    const answer = await person.post("/apply", { ...application, acceptedTerms: "2020-01-01" });
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("The data-use terms have changed. Read and accept version 2026-09-26.");
  });

  it("is over for a person whose membership ended: they are told, and led in no circle", async () => {
    const { consumer, owner } = await makeTeam();
    await database.db.delete(members).where(eq(members.consumerId, consumer.id));
    expect(await owner.get("/console")).toMatchObject({ status: 302, location: "/apply" });
    const page = await owner.get("/apply");
    expect(page.status).toBe(200);
    expect(page.words).toContain("You have already applied");
  });
});

it("a reviewer whose time is over is told so, and where, before being asked to apply", async () => {
  const { consumer, join } = await makeTeam();
  const reviewer = await join("reviewer");
  expect((await reviewer.get("/apply")).words).not.toContain("has ended");
  await database.sql`update members set ends_at = now() - interval '1 second' where consumer_id = ${consumer.id} and role = 'reviewer'`;
  expect(await reviewer.get("/console/keys")).toMatchObject({ status: 302, location: "/apply" });
  const { words } = await reviewer.get("/apply");
  expect(words).toContain(`Your access as a reviewer has ended ${consumer.name}: just now`);
  expect(words).toContain("An operator can renew it");
});

it("whoever works for no platform, and has other pages, is told why a page of the console is not theirs, and what leads to one", async () => {
  for (const [account, home] of [
    [await makeAccount(database, { isOperator: true }), "/admin"],
    [{ id: (await makeMerchant(database, (await makeStore(database)).merchantId)).accountId }, "/merchant"],
  ] as const) {
    const person = await logIn(account);
    expect(await person.get("/console")).toMatchObject({ status: 302, location: home });
    for (const path of ["/console/playground", "/console/keys"]) {
      const { status, words, html } = await person.get(path);
      expect([status, words]).toEqual([403, expect.stringContaining("this account works for none")]);
      expect(html).toContain('href="/apply"');
    }
  }
});

describe("keys", () => {
  it("are issued narrowed and until the end of a day, and shown in that answer alone", async () => {
    const { consumer, owner } = await makeTeam();
    const fields = { intent: "issue", name: "Staging", "scopes[]": "catalog:read", expires: "2050-03-01" };
    const answer = await owner.post("/console/keys?dialog=issue", fields);
    expect(answer.html).toContain('aria-label="Copy API key"');
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const key = KEY.exec(answer.html)![0];
    expect(answer.words).toContain("Your new key “Staging”");
    expect(await keysOf(consumer.id)).toMatchObject([
      { name: "Staging", scopes: ["catalog:read"], expires_at: new Date("2050-03-02T00:00:00Z") },
    ]);
    const tools = (await rpc(server.url, key, "tools/list")).json.result.tools as { name: string }[];
    expect(tools.map(({ name }) => name)).not.toContain("get_offers");
    for (const path of ["/console/keys", "/console/keys?dialog=issue", "/console/keys.data", "/console"]) {
      expect((await owner.get(path)).html, path).not.toMatch(KEY);
    }
    expect(await everythingStored(database)).not.toContain(key);
  });

  it("are issued once a form, however often it is sent: a reload of the answer makes none", async () => {
    const { consumer, owner } = await makeTeam({ maxKeys: 1 });
    const attemptIn = (html: string) => /name="attempt" type="hidden" value="([^"]+)"/.exec(html)![1]!;
    const { html } = await owner.get("/console/keys?dialog=issue");
    const fields = { intent: "issue", attempt: attemptIn(html), name: "Once", "scopes[]": "catalog:read" };
    const [first, second] = await Promise.all([
      owner.post("/console/keys", fields),
      owner.post("/console/keys", fields),
    ]);
    expect([first.status, second.status].toSorted()).toEqual([200, 409]);
    const again = await owner.post("/console/keys?dialog=issue", fields);
    expect(again.status).toBe(409);
    expect(again.words).toMatch(/This form has already issued its key: “Once” \(…\w{4}\), shown once\./);
    expect(again.html).not.toMatch(KEY);
    expect(attemptIn(again.html)).not.toBe(fields.attempt);
    expect(await keysOf(consumer.id)).toHaveLength(1);
    // Another consumer's form has nothing to do with it.
    const other = await makeTeam();
    expect((await other.owner.post("/console/keys", fields)).html).toMatch(KEY);
  });

  it("come back with scripts as without: in the action's answer, which nothing may keep", async () => {
    const { owner } = await makeTeam();
    const answer = await owner.post("/console/keys.data", { intent: "issue", name: "x", "scopes[]": "catalog:read" });
    expect(answer.html).toMatch(KEY);
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  it("say beside the field what is wrong, with what was typed", async () => {
    const { consumer, owner } = await makeTeam();
    const wrong = { intent: "issue", name: "", expires: "2020-01-01" };
    const answer = await owner.post("/console/keys?dialog=issue", wrong);
    expect(answer.status).toBe(400);
    expect(answer.words).toContain("Give the key a name.");
    expect(answer.words).toContain("Choose at least one scope.");
    const past = await owner.post("/console/keys?dialog=issue", { ...wrong, name: "Old", "scopes[]": "catalog:read" });
    expect(past.words).toContain("The expiry must be in the future.");
    expect(past.html).toContain('value="Old"');
    for (const expires of ["tomorrow", "2050-02-30"]) {
      const fields = { ...wrong, name: "Old", "scopes[]": "catalog:read", expires };
      const refused = await owner.post("/console/keys?dialog=issue", fields);
      expect(refused.words, expires).toContain("Enter a date, such as 2026-09-26.");
      expect(refused.html, expires).toContain('value="Old"');
      expect(refused.html, expires).toContain(`value="${expires}"`);
    }
    expect(await keysOf(consumer.id)).toEqual([]);
  });

  it("stop at the maximum, which the page shows and explains", async () => {
    const { consumer, owner } = await makeTeam({ maxKeys: 1 });
    await issueKey(database, consumer.id, { name: "The only one" });
    const page = await owner.get("/console/keys");
    expect(page.words).toContain("The maximum of 1 key is reached");
    expect(page.html).toMatch(/<button[^>]*disabled=""[^>]*>.*?Issue a key/s);
    const answer = await owner.post("/console/keys", { intent: "issue", name: "Two", "scopes[]": "catalog:read" });
    expect(answer.status).toBe(409);
    expect(answer.html).not.toMatch(KEY);
  });

  it("are told by how many they are too many, where the maximum was lowered below what is in use", async () => {
    const { consumer, owner } = await makeTeam({ maxKeys: 3 });
    for (let i = 0; i < 3; i++) await issueKey(database, consumer.id);
    await database.sql`update consumers set max_keys = 1 where id = ${consumer.id}`;
    const { words } = await owner.get("/console/keys");
    expect(words).toContain("The maximum of 1 key is reached");
    expect(words).toContain("Revoke 3 to issue another, or ask the operator for more.");
  });

  it("are nobody's to issue where none may be, and nothing is to be revoked for that", async () => {
    const { owner } = await makeTeam({ maxKeys: 0 });
    const { words } = await owner.get("/console/keys");
    expect(words).toContain("No key may be issued");
    expect(words).toContain("Its maximum is 0. Ask the operator for more.");
    expect(words).not.toMatch(/Revoke|rotate keys/);
  });

  it("are offered once, where one can be issued or that waits for something, and not where access has ended", async () => {
    async function offered(given: Parameters<typeof makeTeam>[0]) {
      const { owner } = await makeTeam(given);
      const { html } = await owner.get("/console/keys");
      return [/<a [^>]*dialog=issue/g, /<button [^>]*disabled=""/g].map((button) => html.match(button)?.length ?? 0);
    }
    expect(await offered({})).toEqual([1, 0]);
    for (const waiting of [{ state: "under_review" }, { termsVersion: null }, { maxKeys: 0 }] as const)
      expect(await offered(waiting)).toEqual([0, 1]);
    for (const revokedFrom of ["under_review", "sandbox"] as const)
      expect(await offered({ state: "revoked", revokedFrom })).toEqual([0, 0]);
  });

  it("of a platform whose access was revoked can be revoked, and are not offered for a rotation, which is refused", async () => {
    const { consumer, owner } = await makeTeam();
    const { id } = await issueKey(database, consumer.id);
    const links = async () => (await owner.get("/console/keys")).html.match(/dialog=(rotate|revoke)/g);
    expect(await links()).toEqual(["dialog=rotate", "dialog=revoke"]);
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${consumer.id}`;
    expect((await owner.post("/console/keys", { intent: "rotate", id })).status).toBe(409);
    expect(await links()).toEqual(["dialog=revoke"]);
  });

  it("that are still used and expire soon are named on Overview to everybody, and marked in words where they are listed", async () => {
    const { consumer, owner, join } = await makeTeam();
    const expiresAt = new Date(Date.now() + 3.5 * 86_400_000);
    await issueExpiringKey(database, consumer.id, { name: "Unused" });
    await database.sql`update keys set last_used_at = null where consumer_id = ${consumer.id}`;
    const title = "A key that is still in use expires soon";
    const people = { owner, developer: await join("developer"), reviewer: await join("reviewer") };
    expect((await owner.get("/console")).words).not.toContain(title);
    const { id } = await issueExpiringKey(database, consumer.id, { name: "Checkout", expiresAt });
    const when = `, on ${expiresAt.toISOString().slice(0, 19).replace("T", " ")} UTC`;
    for (const [role, who] of Object.entries(people)) {
      const { words, html } = await who.get("/console");
      expect(words, role).toContain(title);
      expect(words, role).toMatch(/Checkout aisle_\w{4}…\w{4} /);
      expect(words, role).toContain(when);
      expect(words, role).not.toContain("Unused");
      expect(words, role).toContain(role === "owner" ? "issue another key" : "ask an owner for another key");
      expect(html.includes(">Open Keys<"), role).toBe(role === "owner");
      const listed = (await who.get("/console/keys")).words;
      expect(listed.split("Soon, still in use"), role).toHaveLength(2);
    }
    const dialog = await owner.get(`/console/keys?dialog=rotate&id=${id}`);
    expect(dialog.words).toContain("The new key expires soon, too");
    await database.sql`update keys set expires_at = now() where id = ${id}`;
    expect((await owner.get("/console")).words).not.toContain(title);
    expect((await owner.get("/console/keys")).words).not.toContain("Soon, still in use");
  });

  it("that expire soon are named on Overview up to five, with the number of the others", async () => {
    const { consumer, owner } = await makeTeam({ maxKeys: 7 });
    for (let i = 1; i <= 7; i++) {
      const expiresAt = new Date(Date.now() + (3 + i / 10) * 86_400_000);
      await issueExpiringKey(database, consumer.id, { name: `Key ${i}`, expiresAt });
    }
    const { words } = await owner.get("/console");
    expect(words).toContain("7 keys that are still in use expire soon");
    expect(words).toContain("Key 5");
    expect(words).not.toContain("Key 6");
    expect(words).toContain("and 2 more");
  });

  it("rotate: the old one goes on as superseded, or ends at once with the box ticked", async () => {
    const { consumer, owner } = await makeTeam({ maxKeys: 1 });
    const first = await issueKey(database, consumer.id);
    expect((await owner.get(`/console/keys?dialog=rotate&id=${first.id}`)).words).toContain("Revoke the old key now");
    const second = KEY.exec((await owner.post("/console/keys", { intent: "rotate", id: first.id })).html)![0];
    expect((await searchDemo(first.value)).status).toBe(200);
    expect((await owner.get("/console/keys")).words).toContain("Superseded");
    const [, { id }] = (await keysOf(consumer.id)) as unknown as [unknown, { id: string }];
    const refused = await owner.post("/console/keys", { intent: "rotate", id });
    expect(refused.status).toBe(409);
    expect(refused.words).toContain("still works. Revoke it before you rotate again.");
    const third = KEY.exec((await owner.post("/console/keys", { intent: "rotate", id, revokeOld: "on" })).html)![0];
    expect((await searchDemo(second)).status).toBe(401);
    expect((await searchDemo(third)).status).toBe(200);
    // Sent again, by a reload: nothing more is rotated.
    expect((await owner.post("/console/keys", { intent: "rotate", id, revokeOld: "on" })).status).toBe(409);
  });

  it("of the same name have buttons that are told apart without seeing them", async () => {
    const { consumer, owner } = await makeTeam();
    const ends = [];
    for (let i = 0; i < 2; i++) ends.push((await issueKey(database, consumer.id, { name: "Server" })).value.slice(-4));
    const { html } = await owner.get("/console/keys");
    const labels = [...html.matchAll(/aria-label="((?:Rotate|Revoke) [^"]+)"/g)].map(([, label]) => label);
    const expected = ends.flatMap((end) => ["Rotate", "Revoke"].map((act) => `${act} Server, ending in ${end}`));
    expect(labels.toSorted()).toEqual(expected.toSorted());
    expect(new Set(labels).size).toBe(4);
  });

  it("lead to their requests once they were used", async () => {
    const { consumer, owner } = await makeTeam();
    const { value, id } = await issueKey(database, consumer.id, { name: "Server" });
    const link = `href="/console/requests?key=${id}"`;
    expect((await owner.get("/console/keys")).html).not.toContain(link);
    await searchDemo(value);
    await expect.poll(async () => (await owner.get("/console/keys")).html).toContain(link);
    expect((await owner.get(`/console/requests?key=${id}`)).words).toContain("1 request, newest first");
  });

  it("have one button to issue them, which is off where none can be: the empty list has no second", async () => {
    const { owner } = await makeTeam({ state: "under_review" });
    const { html, words } = await owner.get("/console/keys");
    expect(words.match(/Issue a key/g)).toHaveLength(1);
    expect(html).toMatch(/<button[^>]*disabled=""[^>]*>.*?Issue a key/s);
  });

  it("are revoked only with their name typed", async () => {
    const { consumer, owner } = await makeTeam();
    const { id, value } = await issueKey(database, consumer.id, { name: "Checkout bot" });
    expect((await owner.get(`/console/keys?dialog=revoke&id=${id}`)).words).toContain("Type Checkout bot to confirm");
    const refused = await owner.post(`/console/keys?dialog=revoke&id=${id}`, { intent: "revoke", id, confirm: "bot" });
    expect(refused.status).toBe(400);
    expect((await searchDemo(value)).status).toBe(200);
    // As the page shows it, whatever white space its name has.
    await database.sql`update keys set name = ${"Checkout \u00a0\nbot"} where id = ${id}`;
    const done = await owner.post("/console/keys", { intent: "revoke", id, confirm: "Checkout bot" });
    expect(done).toMatchObject({ status: 302, location: `/console/keys?done=revoked&key=${id}` });
    const told = (await owner.get(done.location!)).words;
    expect(told).toContain(`The key Checkout bot (${value.slice(0, 10)}…${value.slice(-4)}) is revoked`);
    expect((await searchDemo(value)).status).toBe(401);
  });

  it("name who made them, and show expired and revoked ones apart", async () => {
    const { consumer, owner } = await makeTeam();
    await owner.post("/console/keys", { intent: "issue", name: "Mine", "scopes[]": "catalog:read" });
    const { id } = await issueKey(database, consumer.id, { name: "Gone" });
    await database.sql`update keys set expires_at = now() - interval '1 hour' where id = ${id}`;
    const text = (await owner.get("/console/keys")).words;
    expect(text).toContain(`by ${consumer.owner.name}`);
    expect(text).toMatch(/Expired and revoked.*Gone.*Expired/);
  });

  it("say that no scope is left where their platform has none, and so does Overview", async () => {
    const { consumer, owner } = await makeTeam();
    await issueKey(database, consumer.id, { name: "Bare" });
    await database.sql`update consumers set scopes = '{}' where id = ${consumer.id}`;
    expect((await owner.get("/console/keys")).words).toMatch(/Bare.*Scopes None left/);
    expect((await owner.get("/console")).words).toContain("Scopes None: no tool can be called");
  });

  it("are revoked by a dialog that is described by what will happen", async () => {
    const { consumer, owner } = await makeTeam();
    const { id } = await issueKey(database, consumer.id, { name: "Checkout" });
    const { html } = await owner.get(`/console/keys?dialog=revoke&id=${id}`);
    const [, about] = /<dialog[^>]* aria-describedby="([^"]+)"/.exec(html)!;
    expect(html.split(`id="${about}"`)[1]!.split("</div>")[0]).toContain("A revoked key cannot be restored.");
  });

  it("of another platform are not there", async () => {
    const [mine, theirs] = [await makeTeam(), await makeTeam()];
    const { id, value } = await issueKey(database, theirs.consumer.id, { name: "Theirs" });
    const acts: Record<string, string>[] = [
      { intent: "revoke", id, confirm: "Theirs" },
      { intent: "rotate", id },
    ];
    for (const fields of acts) {
      expect((await mine.owner.post("/console/keys", fields)).status).toBe(404);
    }
    expect((await mine.owner.get(`/console/keys?dialog=revoke&id=${id}`)).html).not.toContain("Theirs");
    expect((await searchDemo(value)).status).toBe(200);
  });
});

it("a scope that no key has, since it was granted after they were issued, is told of beside them", async () => {
  const { consumer, owner } = await makeTeam();
  const words = async () => (await owner.get("/console/keys")).words;
  await issueKey(database, consumer.id);
  expect(await words()).not.toContain("None of these has");
  const scopes = [...consumer.scopes, "inventory:read" as const];
  await database.db.update(consumers).set({ scopes }).where(eq(consumers.id, consumer.id));
  const told = "None of these has inventory:read, which the platform may use: that takes a new key.";
  expect(await words()).toContain(told);
  await issueKey(database, consumer.id, { scopes: ["inventory:read"] });
  expect(await words()).not.toContain("None of these has");
});

describe.each(["developer", "reviewer"] as const)("a %s", (role) => {
  it("reads every page and is refused every act", async () => {
    const { consumer, join } = await makeTeam();
    const { id, value } = await issueKey(database, consumer.id, { name: "Shared" });
    const person = await join(role);
    for (const path of ["/console", "/console/keys", "/console/application"]) {
      expect((await person.get(path)).status, path).toBe(200);
    }
    const page = await person.get(`/console/keys?dialog=revoke&id=${id}`);
    expect(page.words).toContain("only owners issue, rotate and revoke them");
    const overview = (await person.get("/console")).words;
    expect([overview.includes("See keys"), overview.includes("Manage keys")]).toEqual([true, false]);
    expect(page.html).not.toContain("<dialog");
    const acts: [string, Record<string, string>][] = [
      ["/console/keys", { intent: "issue", name: "x", "scopes[]": "catalog:read" }],
      ["/console/keys", { intent: "rotate", id }],
      ["/console/keys", { intent: "revoke", id, confirm: "Shared" }],
      ["/console/keys", { intent: "revoke", id, confirm: "wrong" }],
      ["/console?index", { intent: "accept-terms", version: "2026-09-26" }],
      ["/console?index", { intent: "request-production" }],
      ["/console/application", application],
    ];
    for (const [path, fields] of acts) {
      const answer = await person.post(path, fields);
      expect(answer.status, JSON.stringify(fields)).toBe(403);
      expect(answer.html).not.toMatch(KEY);
    }
    expect(await keysOf(consumer.id)).toMatchObject([{ name: "Shared", revoked_at: null, superseded_at: null }]);
    expect((await searchDemo(value)).status).toBe(200);
  });
});

describe("Overview", () => {
  it("asks for a successful call before production, then takes the request once", async () => {
    const { consumer, owner } = await makeTeam();
    const missing = "Call a tool successfully on the demo store first, in the Playground or with a key.";
    const page = await owner.get("/console");
    expect(page.words).toContain(missing);
    expect(page.html).toMatch(/<a [^>]*href="\/console\/playground">the Playground<\/a>/);
    expect(page.html).toMatch(/<button[^>]*disabled=""[^>]*>.*?Request production access/s);
    const early = await owner.post("/console?index", { intent: "request-production" });
    expect(early.status).toBe(409);
    expect(await stateOf(consumer.id)).toBe("sandbox");

    const { value } = await issueKey(database, consumer.id);
    await callTool(server.url, value, "search_products", { nonsense: true });
    expect((await owner.get("/console")).words).toContain(missing);
    await searchDemo(value);
    const ready = (await owner.get("/console")).words;
    expect(ready).toContain("4 of 5 steps done");
    expect(ready).toContain("it cannot be changed during the review.");
    expect(ready).toContain("2 / 60 requests");
    const asked = await owner.post("/console?index", { intent: "request-production" });
    expect(asked).toMatchObject({ status: 302, location: "/console?done=requested" });
    expect((await owner.get(asked.location!)).words).toContain("Production access has been requested");
    expect(await stateOf(consumer.id)).toBe("production_requested");
    expect((await owner.post("/console?index", { intent: "request-production" })).status).toBe(409);
  });

  it("names the utm_source that links have in each state", async () => {
    const said = async (given: Parameters<typeof makeTeam>[0]) =>
      /utm_source in links (\S+)/.exec((await (await makeTeam(given)).owner.get("/console")).words)?.[1];
    const utmSource = () => `partner-${crypto.randomUUID()}`;
    expect(await said({})).toBe("aisle_sandbox");
    for (const state of ["sandbox", "production_requested"] as const)
      expect(await said({ state, utmSource: utmSource() }), state).toBe("aisle_sandbox");
    const own = utmSource();
    expect(await said({ state: "production", utmSource: own })).toBe(own);
    expect(await said({ state: "under_review" })).toBeUndefined();
    const revoked = { state: "revoked", revokedFrom: "production", utmSource: utmSource() } as const;
    expect(await said(revoked)).toBeUndefined();
  });

  it("calls no key working or active while access is revoked: they are refused, and work again with it", async () => {
    const { owner, consumer } = await makeTeam({});
    await issueKey(database, consumer.id);
    expect((await owner.get("/console/keys")).words).toMatch(/Working keys 1 of \d+ in use\. .* State Active/);
    await database.sql`update consumers set state = 'revoked', revoked_from = 'sandbox' where id = ${consumer.id}`;
    const { words } = await owner.get("/console/keys");
    expect(words).toMatch(/Refused keys They work again once the platform has access\. .* State Refused/);
    expect(words).not.toMatch(/Working keys|Active|in use/);
  });

  it("shows a revocation with the operator's reason", async () => {
    const { owner } = await makeTeam({
      state: "revoked",
      revokedFrom: "sandbox",
      decidedAt: new Date(),
      decisionReason: "The website says nothing of an agent.",
    });
    const text = (await owner.get("/console")).words;
    expect(text).toContain("Access was revoked");
    expect(text).toContain("The website says nothing of an agent.");
    expect(text).toContain("Stores None");
    expect((await owner.get("/console/keys")).words).toContain("every key is refused");
  });

  it.each([
    [
      "under_review",
      "1 of 5 steps done",
      "Application (stopped) It was rejected just now . See the application 3 Sandbox (to come)",
    ],
    ["sandbox", "2 of 5 steps done", "Sandbox (stopped) Access was revoked just now . 4 First call (to come)"],
    ["production", "3 of 5 steps done", "Production (stopped) Access was revoked just now ."],
  ] as const)("a path that ended from %s has ended at the step it had come to", async (revokedFrom, done, at) => {
    const decidedAt = new Date();
    const { owner } = await makeTeam({ state: "revoked", revokedFrom, decidedAt, utmSource: revokedFrom });
    const { words } = await owner.get("/console");
    expect(words).toContain(done);
    expect(words).toContain(at);
    // Who never had a key has made no calls.
    expect(words.includes("No calls in the last 24 hours")).toBe(revokedFrom !== "under_review");
  });

  it.each([
    [{ state: "under_review" }, "0 / 2 in use Scopes"],
    [{ state: "revoked", revokedFrom: "under_review" }, "0 / 2 in use Scopes"],
    [{ state: "revoked", revokedFrom: "sandbox" }, "0 / 2 in use See keys Scopes"],
    [{ state: "sandbox" }, "0 / 2 in use Manage keys Scopes"],
  ] as const)("leads to keys only where there may be some: %o", async (standing, words) => {
    const { owner } = await makeTeam(standing);
    expect((await owner.get("/console")).words).toContain(words);
  });

  it("invites nobody to calls that are all refused", async () => {
    const waiting = await makeTeam({ state: "under_review" });
    const revoked = await makeTeam({ state: "revoked", revokedFrom: "production", directorySlug: "gone-apps" });
    const invites = /See how to call|Streamable HTTP|directories: takes no key/;
    for (const path of ["/console", "/console/usage", "/console/requests"]) {
      expect((await waiting.owner.get(path)).words, path).toMatch(invites);
      expect((await revoked.owner.get(path)).words, path).not.toMatch(invites);
    }
  });

  it("leads to a first key where there is none yet, and nobody else is told to put one of theirs in its place", async () => {
    const { consumer, owner, join } = await makeTeam();
    const developer = await join("developer");
    const [before, seen] = [await owner.get("/console"), await developer.get("/console")];
    expect(before.html).toContain('href="/console/keys?dialog=issue"');
    expect(before.words).toContain("Replace YOUR_AISLE_KEY with a key that you issue.");
    expect(seen.html).not.toContain("dialog=issue");
    expect(seen.words).toContain("Replace YOUR_AISLE_KEY with a key that an owner issues.");
    const waiting = await makeTeam({ state: "under_review" });
    expect((await waiting.owner.get("/console")).words).toContain(
      "Replace YOUR_AISLE_KEY with a key, once the application is approved.",
    );
    await issueKey(database, consumer.id);
    for (const each of [owner, developer]) {
      const after = await each.get("/console");
      expect(after.html).not.toContain("dialog=issue");
      expect(after.words).toContain("Replace YOUR_AISLE_KEY with one of your keys.");
    }
  });

  it.each([{ maxKeys: 0 }, { termsVersion: "2025-01-01" }])(
    "leads to no key that would be refused: %o",
    async (given) => {
      const { owner } = await makeTeam(given);
      expect((await owner.get("/console")).html).not.toContain("dialog=issue");
    },
  );

  it("has the endpoint and a snippet for each client, and no inline style", async () => {
    const { owner } = await makeTeam();
    for (const path of ["/console", "/console/keys?dialog=issue", "/console/application"]) {
      expect((await owner.get(path)).html, path).not.toMatch(/ style="/);
    }
    const { html } = await owner.get("/console");
    expect(html).toContain(`${server.url}/api/mcp`);
    for (const label of ["curl", "MCP Inspector", "Claude Code", "Cursor", "VS Code", "TypeScript", "Python"]) {
      expect(html, label).toContain(label);
    }
  });

  it("begins with the way to production, in production with the last day; before the first call comes how to make it", async () => {
    const { consumer, owner } = await makeTeam();
    const parts = ["The path to production", "Last 24 hours", "Connect"];
    const headings = async () =>
      [...(await owner.get("/console")).html.matchAll(/<h2[^>]*>([^<]+)</g)]
        .map(([, heading]) => heading!)
        .filter((heading) => parts.includes(heading));
    expect(await headings()).toEqual(["The path to production", "Connect", "Last 24 hours"]);
    const { value } = await issueKey(database, consumer.id);
    // Whoever was refused still has to make it.
    await callTool(server.url, value, "list_stores", { surprise: 1 });
    expect(await headings()).toEqual(["The path to production", "Connect", "Last 24 hours"]);
    await searchDemo(value);
    expect(await headings()).toEqual(["The path to production", "Last 24 hours", "Connect"]);
    await database.db
      .update(consumers)
      .set({ state: "production", utmSource: consumer.slug })
      .where(eq(consumers.id, consumer.id));
    expect(await headings()).toEqual(["Last 24 hours", "Connect", "The path to production"]);
  });

  it("alarms nobody because all keys are in use", async () => {
    const { consumer, owner } = await makeTeam({ maxKeys: 1 });
    await issueKey(database, consumer.id);
    const { html, words } = await owner.get("/console");
    expect(words).toContain("1 / 1 in use");
    expect(html).not.toContain("fill-danger-mark");
  });

  it("lets a person of several platforms change between them, and into no other", async () => {
    const [first, second, strangers] = [await makeTeam(), await makeTeam(), await makeTeam()];
    await database.db
      .insert(members)
      .values({ consumerId: second.consumer.id, accountId: first.consumer.owner.id, role: "developer" });
    const change = (consumerId: string, redirectTo = "/console/keys") =>
      first.owner.post("/console/switch", { consumerId, redirectTo });
    const shown = async () => /<h1[^>]*>([^<]*)/.exec((await first.owner.get("/console")).html)![1];
    for (const { consumer } of [second, first]) {
      expect(await change(consumer.id)).toMatchObject({ status: 302, location: "/console/keys" });
      expect(await shown()).toBe(consumer.name);
    }
    expect((await change(strangers.consumer.id)).status).toBe(404);
    expect(await shown()).toBe(first.consumer.name);

    // A link in a mail: it changes nothing by itself.
    const follow = (consumerId: string) =>
      first.owner.get(`/console/switch?${new URLSearchParams({ consumerId, redirectTo: "/console/keys" })}`);
    expect(await follow(first.consumer.id)).toMatchObject({ status: 302, location: "/console/keys" });
    // Not on to another platform's keys than the link is about.
    for (const consumerId of [strangers.consumer.id, "undefined"]) {
      const refused = await follow(consumerId);
      expect(refused.status).toBe(404);
      expect(refused.words).toContain("You have no access to the platform that this link is about.");
    }
    const link = `/console/switch?${new URLSearchParams({ consumerId: second.consumer.id, redirectTo: "/console/keys" })}`;
    const loggedOut = await newVisitor(server.url).get(link);
    expect(loggedOut.location).toBe(`/login?to=${encodeURIComponent(link)}`);
    const asked = await follow(second.consumer.id);
    expect(asked.words).toContain(`Switch to ${second.consumer.name}?`);
    expect(asked.words).toContain(`Stay with ${first.consumer.name}`);
    expect(await shown()).toBe(first.consumer.name);
    expect(await change(first.consumer.id, "//evil.example")).toMatchObject({ location: "/console" });
  });
});

describe("a form", () => {
  it("acts for the platform that its page showed, or not at all", async () => {
    const [first, second] = [await makeTeam(), await makeTeam({ state: "production" })];
    const who = first.owner;
    await database.db
      .insert(members)
      .values({ consumerId: second.consumer.id, accountId: first.consumer.owner.id, role: "owner" });
    await who.post("/console/switch", { consumerId: first.consumer.id, redirectTo: "/console/keys" });
    const shown = async (path: string, intent: string) =>
      new RegExp(`value="${intent}".*?name="consumerId"[^>]*value="([^"]*)"`, "s").exec(
        (await who.get(path)).html,
      )?.[1];
    const consumerId = (await shown("/console/keys?dialog=issue", "issue"))!;
    expect(consumerId).toBe(first.consumer.id);
    expect(await shown("/console", "request-production")).toBe(first.consumer.id);
    expect((await who.get("/console/doctor")).html).toContain(`value="${consumerId}"`);
    const key = await issueKey(database, first.consumer.id, { name: "Leaked" });
    for (const intent of ["rotate", "revoke"])
      expect((await who.get(`/console/keys?dialog=${intent}&id=${key.id}`)).html).toMatch(
        new RegExp(`name="consumerId"[^>]*value="${consumerId}"`),
      );

    const forms: [string, Record<string, string>][] = [
      ["/console/keys?dialog=issue", { intent: "issue", name: "Mine", "scopes[]": "catalog:read", consumerId }],
      ["/console?index", { intent: "accept-terms", version: "2026-09-26", consumerId }],
      ["/console?index", { intent: "request-production", consumerId }],
      ["/console/application", { product: "Other", consumerId }],
      ["/console/doctor", { consumerId }],
      ["/console/keys?dialog=rotate", { intent: "rotate", id: key.id, revokeOld: "on", consumerId }],
      ["/console/keys?dialog=revoke", { intent: "revoke", id: key.id, confirm: "Leaked", consumerId }],
    ];
    // In another tab they change over, or somebody else ends their membership: the page is there still.
    await who.post("/console/switch", { consumerId: second.consumer.id, redirectTo: "/console/keys" });
    const afterwards = async () => {
      for (const [path, fields] of forms) {
        const answer = await who.post(path, fields);
        expect([path, answer.status]).toEqual([path, 409]);
        expect(answer.words).toContain("this page was about a different one from the one you are viewing now");
      }
      expect(await keysOf(second.consumer.id)).toEqual([]);
      expect((await rpc(server.url, key.value, "ping")).status).toBe(200);
    };
    await afterwards();
    await who.post("/console/switch", { consumerId: first.consumer.id, redirectTo: "/console/keys" });
    await database.db.delete(members).where(eq(members.consumerId, first.consumer.id));
    await afterwards();
  });

  it("acts for the account that its page showed, or not at all", async () => {
    const [team, { merchantId }] = [await makeTeam(), await makeStore(database)];
    const person = async () => {
      const account = await makeAccount(database);
      const membership = { accountId: account.id, consumerId: team.consumer.id, role: "developer" } as const;
      await database.db.insert(members).values(membership);
      await database.db.insert(merchantMembers).values({ merchantId, accountId: account.id });
      return { account, who: await logIn(account), elsewhere: await logIn(account) };
    };
    const [first, newcomer, applied] = [await person(), await person(), await person()];
    expect((await applied.who.post("/apply", { ...application, productName: "Other" })).status).toBe(302);
    const { who } = first;
    const [session] = await database.sql`
      select id from sessions where account_id = ${first.account.id} order by created_at desc limit 1`;
    const forms: [string, Record<string, string>][] = [
      ["/apply", { ...application, productName: "Mine" }],
      ["/account?index", { about: "name", name: "Mine" }],
      [`/account/access?dialog=platform&id=${team.consumer.id}`, { place: "platform", id: team.consumer.id }],
      [`/account/access?dialog=merchant&id=${merchantId}`, { place: "merchant", id: merchantId }],
      [`/account/sessions?dialog=end&id=${session!.id}`, { about: "one", id: session!.id }],
      ["/account/sessions?dialog=everywhere", { about: "everywhere" }],
      ["/account/password", { currentPassword: "Theirs", newPassword: "a long one of theirs" }],
      ["/account/two-factor", { about: "begin", currentPassword: "Theirs" }],
      ["/account/two-factor", { about: "enable", code: "123456" }],
      ["/account/two-factor", { about: "renew", currentPassword: "Theirs", code: "123456" }],
      ["/account/two-factor", { about: "disable", currentPassword: "Theirs", code: "123456" }],
      ["/account/delete?dialog=delete", { confirm: "theirs@aisle.example", currentPassword: "Theirs" }],
    ];
    const hiddenIn = ({ html }: { html: string }) => /name="accountId"[^>]*value="([^"]*)"/.exec(html)?.[1];
    const accountId = first.account.id;
    for (const [path] of forms) expect([path, hiddenIn(await who.get(path))]).toEqual([path, accountId]);
    const stored = () => database.sql`
      select (select count(*) from consumers) as consumers, (select count(*) from applications) as applications,
        (select count(*) from members) as members, (select count(*) from merchant_members) as people,
        (select count(*) from sessions) as sessions, (select string_agg(name, ',' order by id) from accounts) as names`;
    const before = await stored();
    // In another tab somebody else logs in: the page is there still.
    for (const other of [newcomer, applied]) {
      who.cookies.set("aisle", other.who.cookies.get("aisle")!);
      for (const [path, fields] of forms) {
        const answer = await who.post(path, { ...fields, accountId });
        expect([path, answer.status]).toEqual([path, 409]);
        expect(answer.words).toContain(
          "this page was about a different account from the one you are logged in with now",
        );
        if (Object.values(fields).includes("Mine")) {
          expect(answer.html).toContain('value="Mine"');
          expect(hiddenIn(answer), "sent as it comes back, it is refused again").toBe(accountId);
        }
      }
      expect(await stored()).toEqual(before);
    }
  });

  it.each<[string, string, Record<string, string>]>([
    ["/console/application", "updatedAt", { ...application, productName: "Mine" }],
    ["/console/keys?dialog=issue", "attempt", { intent: "issue", name: "Mine", "scopes[]": "catalog:read" }],
  ])(
    "%s stays about that platform when it is refused: sent as it comes back, it changes no other",
    async (path, own, fields) => {
      const [first, second] = [await makeTeam(), await makeTeam()];
      const who = first.owner;
      await database.db
        .insert(members)
        .values({ consumerId: second.consumer.id, accountId: first.consumer.owner.id, role: "owner" });
      const change = (consumerId: string) => who.post("/console/switch", { consumerId, redirectTo: "/console/keys" });
      /** What is hidden in the form that has this field. */
      const hiddenIn = (html: string) => {
        const form = html.match(/<form.*?<\/form>/gs)!.find((one) => one.includes(`name="${own}"`))!;
        const inputs = form.matchAll(/name="([^"]+)" type="hidden" value="([^"]*)"/g);
        return Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!]));
      };
      const stored = () => database.sql`
        select c.name, a.*, (select count(*)::int from keys where consumer_id = c.id) as keys
        from consumers c join applications a on a.consumer_id = c.id where c.id = ${second.consumer.id}`;
      const before = await stored();
      await change(first.consumer.id);
      let hidden = hiddenIn((await who.get(path)).html);
      await change(second.consumer.id);
      for (const time of ["once", "again"]) {
        const answer = await who.post(path, { ...fields, ...hidden });
        expect([time, answer.status]).toEqual([time, 409]);
        expect(answer.html).toContain('value="Mine"');
        hidden = hiddenIn(answer.html);
        expect(hidden).toMatchObject({ [own]: expect.any(String), consumerId: first.consumer.id });
      }
      expect(await stored()).toEqual(before);
    },
  );
});

describe("a file", () => {
  it("is of the platform, or the account, that its page showed, or there is none", async () => {
    const [first, second] = [await makeTeam({ state: "production" }), await makeTeam({ state: "production" })];
    await database.sql`
      update consumers set directory_slug = slug || '-apps' where id in (${first.consumer.id}, ${second.consumer.id})`;
    const accountId = first.consumer.owner.id;
    await database.db.insert(members).values({ consumerId: second.consumer.id, accountId, role: "owner" });
    const key = await issueKey(database, first.consumer.id);
    expect((await rpc(server.url, key.value, "ping")).status).toBe(200);
    const who = first.owner;
    const change = (consumerId: string) => who.post("/console/switch", { consumerId, redirectTo: "/console" });
    await change(first.consumer.id);
    const offered: string[] = [];
    for (const page of ["/console", "/console/usage", "/account"])
      for (const [, href] of (await who.get(page)).html.matchAll(/href="([^"]*(?:csv|pack|json)\?[^"]*)"/g))
        offered.push(href!.replaceAll("&amp;", "&"));
    const kinds = ["/console/directory-pack", "/console/usage.csv", "/account/data.json"];
    expect([...new Set(offered.map((href) => href.split("?")[0]))]).toEqual(kinds);
    const outcomes = async () => {
      const answers = [];
      for (const href of offered) answers.push({ href, ...(await who.get(href)) });
      return answers.map(({ href, status, headers }) => [href, status, headers.get("content-disposition") !== null]);
    };
    expect(await outcomes()).toEqual(offered.map((href) => [href, 200, true]));
    const csv = (await who.get(offered.find((href) => href.includes(".csv"))!)).headers.get("content-disposition");
    expect(csv).toMatch(`filename="aisle-usage-${first.consumer.slug}-`);

    await change(second.consumer.id);
    const isOwn = (href: string) => href.startsWith("/account");
    expect(await outcomes()).toEqual(offered.map((href) => (isOwn(href) ? [href, 200, true] : [href, 409, false])));
    who.cookies.set("aisle", second.owner.cookies.get("aisle")!);
    expect(await outcomes()).toEqual(offered.map((href) => [href, 409, false]));
  });
});

describe("new data-use terms", () => {
  it("hold up new keys until an owner accepts them, explained where it matters; calls go on", async () => {
    const { consumer, owner, join } = await makeTeam({ maxKeys: 3 });
    const developer = await join("developer");
    const { id, value } = await issueKey(database, consumer.id);
    await newTerms(database, { version: "2027-01-01", body: "# New terms\n\nBe **kind**." });
    const read = (await owner.get("/terms")).words;
    expect(read).toContain("Be kind.");
    expect(read).toContain(`${consumer.name} has not accepted version 2027-01-01 yet`);
    expect(read).toContain("Back to Overview to accept");
    expect(read).toContain("What changed since 2026-09-26, which it accepted");
    expect(read).toContain("New: Be kind.");
    expect((await developer.get("/terms")).words).toContain("An owner accepts it on Overview.");

    expect((await owner.get("/console")).words).toContain("Accept version 2027-01-01");
    const told = (await developer.get("/console")).words;
    expect(told).toContain(`wait until an owner of ${consumer.name} accepts it here`);
    expect(told).not.toContain("Accept version");
    // Where no key works, none is said to.
    const waiting = await makeTeam({ state: "under_review" });
    const revoked = await makeTeam({ state: "revoked", revokedFrom: "sandbox" });
    const keyless = await makeTeam({ state: "sandbox", termsVersion: "2025-01-01" });
    expect((await waiting.owner.get("/console")).words).toContain("The first key waits until you accept it.");
    expect((await keyless.owner.get("/console")).words).toContain("New keys wait until you accept it.");
    for (const path of ["/console", "/console/keys"])
      expect((await keyless.owner.get(path)).words, path).not.toMatch(/existing keys/i);
    expect((await revoked.owner.get("/console")).words).not.toContain("2027-01-01");
    const keys = (await owner.get("/console/keys")).words;
    expect(keys).toContain("New keys and rotations wait for the data-use terms");
    expect([keys.includes("Rotate"), keys.includes("Revoke")]).toEqual([false, true]);
    const issue = () => owner.post("/console/keys", { intent: "issue", name: "x", "scopes[]": "catalog:read" });
    expect((await issue()).status).toBe(409);
    expect((await owner.post("/console/keys", { intent: "rotate", id })).status).toBe(409);
    expect((await searchDemo(value)).status).toBe(200);

    const outdated = await owner.post("/console?index", { intent: "accept-terms", version: "2026-09-26" });
    expect(outdated.status).toBe(409);
    const accepted = await owner.post("/console?index", { intent: "accept-terms", version: "2027-01-01" });
    expect(accepted).toMatchObject({ status: 302, location: "/console?done=terms" });
    const after = (await owner.get(accepted.location!)).words;
    expect(after).toContain("Terms accepted");
    expect(after).not.toContain("Accept version");
    for (const who of [owner, developer]) expect((await who.get("/terms")).words).not.toContain("has not accepted");
    expect((await issue()).html).toMatch(KEY);
  });
});
