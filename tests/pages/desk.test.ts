// The operators' merchants, terms, settings and audit, and invitations, as a browser without scripts sees them.
import { parse } from "csv-parse/sync";
import { eq } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import * as audit from "../../server/services/audit";
import * as passwords from "../../server/services/passwords";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { newEmail, PASSWORD, people } from "../support/people";
import { testServer } from "../support/server";
import { newVisitor } from "../support/visitor";

const database = testDatabase();
const server = testServer(database, { TRUST_PROXY: "1" }, { expected: /constraint \\"broken\\"|canceling statement/ });
const { logIn } = logins(database, server);
const { linkTo } = people(database);

const makeOperator = async () => logIn(await makeAccount(database, { isOperator: true, name: "Olwen Price" }));

/** What a form with this text on its button would send: its hidden fields. */
function hidden(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input[^>]*type="hidden"[^>]*>/g);
  const decode = (text: string) =>
    text
      .replace(/&quot;/g, '"')
      .replace(/&#x27;/g, "'")
      .replace(/&amp;/g, "&");
  return Object.fromEntries(
    [...inputs].map(([input]) => [/name="([^"]*)"/.exec(input)![1]!, decode(/value="([^"]*)"/.exec(input)?.[1] ?? "")]),
  );
}

const pages = ["merchants", "terms", "terms/new", "terms/2026-09-26", "settings", "audit", "audit.csv"];

describe("the desk", () => {
  it("is for operators: others are refused, and strangers log in first", async () => {
    const consumer = await makeConsumer(database);
    const store = await makeStore(database);
    const merchant = await makeMerchant(database, store.merchantId);
    const owner = await logIn(consumer.owner);
    const seller = await logIn({ id: merchant.accountId });
    const operator = await makeOperator();
    const more = [`merchants/${store.merchantId}`, `merchants/${store.merchantId}/stores/${store.id}`];
    for (const page of [...pages, ...more]) {
      const path = `/admin/${page}`;
      const stranger = await newVisitor(server.url).get(path);
      const led = path.replace(/\.csv$/, "");
      expect(stranger.location, path).toBe(`/login?to=${encodeURIComponent(led)}`);
      for (const who of [owner, seller]) {
        const { status, html } = await who.get(path);
        expect(status, path).toBe(403);
        expect(html).not.toContain(consumer.owner.email);
      }
      expect((await operator.get(path)).status, path).toBe(200);
      const posted = await owner.post(path, { intent: "name", name: "Mine", approvalRule: "automatic_all" });
      expect([403, 405], path).toContain(posted.status);
    }
  });

  it("says 404 of a merchant, a store and a version that are not there", async () => {
    const operator = await makeOperator();
    const { merchantId } = await makeStore(database);
    const nothing = "00000000-0000-7000-8000-000000000000";
    for (const path of [`merchants/${nothing}`, `merchants/${merchantId}/stores/${nothing}`, "terms/2001-01-01"]) {
      expect((await operator.get(`/admin/${path}`)).status, path).toBe(404);
    }
  });
});

describe("merchants", () => {
  it("of one name are made by whoever says so twice, having been told; their form is kept meanwhile", async () => {
    const operator = await makeOperator();
    const create = (form: object) => operator.post("/admin/merchants?index&dialog=new", { name: "Skua", ...form });
    const made = await create({ shown: "" });
    expect(made.location).toMatch(/^\/admin\/merchants\//);
    const told = await create({ shown: "" });
    expect(told.status).toBe(409);
    expect(told.words).toContain("There is already a merchant “Skua”, so none was created.");
    expect(told.html).toContain('value="Skua"');
    const shown = /name="shown"[^>]* value="([^"]+)"/.exec(told.html)![1]!;
    expect((await create({ shown })).location).not.toBe(made.location);
    expect((await create({ shown })).status).toBe(409);
  });

  it("are created, found, given a store, and changed", async () => {
    const operator = await makeOperator();
    expect((await operator.post("/admin/merchants?index&dialog=new", { intent: "name", name: " " })).words).toContain(
      "Enter a name.",
    );
    const made = await operator.post("/admin/merchants?index&dialog=new", { intent: "name", name: "Fjordline" });
    expect(made.location).toMatch(/^\/admin\/merchants\/[0-9a-f-]{36}$/);
    const page = made.location!;
    const fresh = await operator.get(page);
    expect(fresh.words).toContain("No store yet");
    expect(fresh.words).toContain("No one acts for it yet");
    const store = {
      name: "Fjordline Bergen",
      url: "https://fjordline.example",
      country: "no",
      currency: "nok",
      languages: "nb, en",
      slug: "fjordline-bergen",
      aiDiscovery: "on",
    };
    const refused = await operator.post(`${page}/stores/new`, { ...store, country: "Norway", slug: "Fjord Line" });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("Enter its ISO 3166-1 code: NO.");
    expect(refused.words).toContain("Use lower-case words joined by hyphens");
    expect(refused.html).toContain('value="Fjordline Bergen"');
    const british = await operator.post(`${page}/stores/new`, { ...store, country: "uk" });
    expect(british.words).toContain("Enter its ISO 3166-1 code: GB.");
    const unknown = await operator.post(`${page}/stores/new`, { ...store, country: "ZZ" });
    expect(unknown.words).toContain("Enter an ISO 3166-1 code, such as DE.");
    expect(unknown.html).toContain('value="ZZ"');
    for (const field of ["languages", "categories"]) {
      const unseen = await operator.post(`${page}/stores/new`, { ...store, [field]: "en, d\u202ee" });
      expect([unseen.status, unseen.words]).toEqual([400, expect.stringContaining("Remove the invisible characters")]);
    }
    const typedShort = { ...store, url: "fjordline.example" };
    expect((await operator.post(`${page}/stores/new`, typedShort)).location).toBe(`${page}?done=store-created`);
    const again = await operator.post(`${page}/stores/new`, store);
    expect(again.words).toContain("There is already a store");
    const listed = await operator.get(page);
    expect(listed.words).toContain("Fjordline Bergenfjordline.example");
    expect(listed.words).toContain("Country Norway");
    const edit = /href="([^"]*\/stores\/[0-9a-f-]{36})"/.exec(listed.html)![1]!;
    const shown = (await operator.get(edit)).html;
    expect(shown).toContain('value="nb, en"');
    expect(shown).toContain('value="https://fjordline.example"');
    const { slug: _, aiDiscovery: __, ...typed } = store;
    const profile = { ...typed, updatedAt: /name="updatedAt"[^>]* value="([^"]+)"/.exec(shown)![1]! };
    expect((await operator.post(edit, { ...profile, name: "Fjordline Oslo" })).location).toBe(
      `${edit}?done=store-saved`,
    );
    const late = await operator.post(edit, { ...profile, name: "Fjordline Voss" });
    expect([late.status, late.words]).toEqual([409, expect.stringContaining("The store was changed in the meantime")]);
    expect(late.html).toContain('value="Fjordline Voss"');
    expect(late.html).not.toContain(`value="${profile.updatedAt}"`);
    const mistyped = await operator.post(edit, { ...profile, name: "" });
    expect(mistyped.status).toBe(400);
    expect(mistyped.html, "what was shown when it was typed").toContain(`value="${profile.updatedAt}"`);
    expect((await operator.get("/admin/merchants?q=oslo")).words).toContain("Fjordline");
    expect((await operator.get("/admin/merchants?q=nowhere+at+all")).words).toContain("Nothing found");
    const named = (html: string) => /name="shown"[^>]* value="([^"]+)"/.exec(html)![1]!;
    const rename = (name: string, shown: string) =>
      operator.post(`${page}?index&dialog=rename`, { intent: "name", name, shown });
    const before = named((await operator.get(`${page}?dialog=rename`)).html);
    expect((await rename("Fjordline AS", before)).location).toBe(`${page}?done=merchant-renamed`);
    const second = await rename("Fjordline Group", before);
    expect([second.status, second.words]).toEqual([
      409,
      expect.stringContaining("This merchant was changed in the meantime"),
    ]);
    expect(second.html).toContain('value="Fjordline Group"');
    expect(second.words).toContain("Fjordline AS");
    expect((await rename("Fjordline Group", named(second.html))).location).toBe(`${page}?done=merchant-renamed`);
    expect((await operator.get(`${page}?done=merchant-renamed`)).words).toContain("The merchant has been renamed");
    expect((await operator.post(`${page}?index`, { intent: "what" })).status).toBe(400);
  });

  it("page by page have addresses forwards and back", async () => {
    const operator = await makeOperator();
    const values = Array.from(
      { length: 51 },
      (_, i) => `('${`${i}`.padStart(8, "0")}-0000-7000-8000-00000000abcd', 'Paging ${i}')`,
    );
    await database.sql.unsafe(`insert into merchants (id, name) values ${values.join(",")}`);
    const first = await operator.get("/admin/merchants?q=Paging");
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.html)![1]!.replace(/&amp;/g, "&");
    const second = await operator.get(next);
    expect(second.words).toContain("Paging 9 to Paging 9");
    const back = /href="([^"]*cursor=[^"]*)"[^>]*>(?:(?!<\/a>).)*Previous/s
      .exec(second.html)![1]!
      .replace(/&amp;/g, "&");
    expect((await operator.get(back)).words).toContain("Paging 0 to Paging 8");
  });

  it("have people, who are added, invited and removed", async () => {
    const operator = await makeOperator();
    const { merchantId } = await makeStore(database);
    const page = `/admin/merchants/${merchantId}`;
    const person = await makeAccount(database, { name: "Sigrid Aas" });
    const unknown = await operator.post(`${page}?index&dialog=add`, { intent: "add", email: "nobody@example.com" });
    expect(unknown.status).toBe(400);
    expect(unknown.words).toContain("Send an invitation instead.");
    expect(unknown.html).toContain('value="nobody@example.com"');
    const added = await operator.post(`${page}?index&dialog=add`, { intent: "add", email: person.email });
    expect(added.location).toBe(`${page}?done=person-added`);
    expect((await operator.get(page)).words).toContain(`Sigrid Aas${person.email}`);
    const who = await logIn(person);
    expect((await who.get("/merchant")).status).not.toBe(403);
    const dialog = await operator.get(`${page}?dialog=remove&id=${person.id}`);
    expect(dialog.words).toContain("Remove Sigrid Aas?");
    expect(dialog.words).toContain("No one is then left");
    await operator.post(`${page}?index`, { intent: "remove", accountId: person.id });
    expect((await who.get("/merchant")).status).toBe(403);
    const twice = await operator.post(`${page}?index`, { intent: "remove", accountId: person.id });
    expect(twice.words).toContain("They no longer act for this merchant.");
  });
});

describe("an invitation", () => {
  async function invite() {
    const operator = await makeOperator();
    const { merchantId, name, slug } = await makeStore(database);
    const email = newEmail();
    const page = `/admin/merchants/${merchantId}`;
    const sent = await operator.post(`${page}?index&dialog=invite`, { intent: "invite", email });
    expect(sent.location).toBe(`${page}?done=invited`);
    const listed = await operator.get(page);
    expect(listed.words).toContain(email);
    const id = /dialog=withdraw&amp;id=([0-9a-f-]{36})/.exec(listed.html)![1]!;
    return { operator, page, name, slug, email, id, link: `/invitation?token=${await linkTo(email, "/invitation")}` };
  }

  it("leads a stranger to log in and back, and makes them act for the merchant when they press the button", async () => {
    const { email, name, link, id } = await invite();
    const stranger = await newVisitor(server.url).get(link);
    expect(stranger.words).toContain(`Act for ${name}`);
    expect(stranger.html).toContain(`/login?to=${encodeURIComponent(link)}`);
    expect(stranger.html).toContain(`href="/signup?invitation=${link.split("=")[1]}"`);
    const invited = await logIn(await makeAccount(database, { email }));
    for (let i = 0; i < 2; i++) expect((await invited.get(link)).words).toContain("Accept");
    // Nobody acts for it yet: what is said holds for the first one, too.
    for (const { words } of [stranger, await invited.get(link)]) {
      expect(words).toContain(`Whoever acts for ${name} decides which AI agents may read its stores`);
      expect(words).not.toContain("others");
    }
    expect((await invited.get("/merchant")).status).toBe(403);
    expect((await invited.post(link, { id })).location).toBe("/merchant?done=joined");
    expect((await invited.get("/merchant")).status).not.toBe(403);
    const again = await invited.post(link, { id });
    expect(again.status).toBe(409);
    expect(again.words).toContain("This invitation has already been accepted");
    // Used, it names the merchant and leads everybody where they may go.
    const elsewhere = await logIn(await makeAccount(database));
    const used = `This invitation has already been accepted An invitation to act for ${name} works once.`;
    for (const [who, way] of [
      [invited, "Open the stores"],
      [elsewhere, "Go to your pages"],
      [newVisitor(server.url), "Log in"],
    ] as const)
      expect((await who.get(link)).words).toContain(`${used} ${way}`);
  });

  it("that was accepted does not say that its person acts for the merchant once they are removed", async () => {
    const { operator, page, email, link, id } = await invite();
    const account = await makeAccount(database, { email });
    const invited = await logIn(account);
    await invited.post(link, { id });
    await operator.post(`${page}?index`, { intent: "remove", accountId: account.id });
    const { words } = await invited.get(link);
    expect(words).toContain("This invitation has already been accepted");
    expect(words).not.toContain("now acts for");
    expect(words).toContain("Go to your pages");
  });

  it("makes the sign-up of a stranger about the merchant, with the address that was invited", async () => {
    const { name, email, link } = await invite();
    const stranger = newVisitor(server.url);
    const path = /href="(\/signup[^"]*)"/.exec((await stranger.get(link)).html)![1]!;
    const signUp = await stranger.get(path);
    expect(signUp.words).toContain(`To act for ${name}`);
    expect(signUp.words).not.toContain("developer");
    expect(/<input[^>]*name="email"[^>]*>/.exec(signUp.html)![0]).toContain(`value="${email}"`);
    expect(/<input[^>]*name="email"[^>]*>/.exec(signUp.html)![0]).toMatch(/readonly/i);
    const logInInstead = `/login?to=${encodeURIComponent(link)}`;
    expect(signUp.html).toContain(logInInstead);
    const logInPage = (await stranger.get(logInInstead)).html;
    expect(logInPage).toContain(path);
    expect(/<input[^>]*name="email"[^>]*>/.exec(logInPage)![0]).toContain(`value="${email}"`);
    const refused = await stranger.post(path, { name: "Sigrid", email, password: "short" });
    expect([refused.status, refused.words.includes(`To act for ${name}`)]).toEqual([400, true]);
    expect((await stranger.post(path, { name: "Sigrid", email, password: PASSWORD })).words).toContain(email);
    await stranger.post(`/verify?token=${await linkTo(email, "/verify")}`, {});
    const inside = await stranger.post("/login", { email, password: PASSWORD });
    expect((await stranger.get(inside.location!)).location).toBe("/invitation");
    expect((await stranger.get("/invitation")).words).toContain(name);
    // The link goes on leading to where it is accepted.
    expect((await stranger.get(path)).location).toBe(link);
    expect((await newVisitor(server.url).get("/signup?invitation=gone")).location).toBe("/invitation?token=gone");
  });

  it("shows the merchant that was joined, also to who acts for another one", async () => {
    const { email, slug, link, id } = await invite();
    const account = await makeAccount(database, { email });
    const other = await makeStore(database, { name: "Aaa, the first by name" });
    await database.db.insert(merchantMembers).values({ merchantId: other.merchantId, accountId: account.id });
    const invited = await logIn(account);
    const shows = async (store: string) => (await invited.get(`/merchant/stores/${store}`)).status === 200;
    expect([await shows(other.slug), await shows(slug)]).toEqual([true, false]);
    await invited.post(link, { id });
    expect([await shows(other.slug), await shows(slug)]).toEqual([false, true]);
  });

  it("that cannot be looked up whole is answered as busy, and ends nothing but its own page", async () => {
    const invited = await logIn(await makeAccount(database));
    const page = await database.sql.begin(async (tx) => {
      await tx`lock table members, merchant_invitations in access exclusive mode`;
      const asked = invited.get("/invitation");
      await untilWaiting(database.sql, 2);
      await tx`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%"members"%'`;
      return asked;
    });
    expect(page.status).toBe(503);
    expect((await invited.get("/invitation")).status).toBe(200);
  });

  it("is shown to who signed up anew, without the link, in the place of the form for platforms", async () => {
    const { email, name, id } = await invite();
    const account = await makeAccount(database, { email });
    const invited = await logIn(account);
    expect((await invited.get("/console")).location).toBe("/invitation");
    const page = await invited.get("/invitation");
    expect(page.words).toContain(name);
    expect(hidden(page.html).id).toBe(id);
    // Whoever has a platform has applied already.
    const instead = "I build an agent";
    expect(page.words).toContain(instead);
    const { id: consumerId } = await makeConsumer(database);
    await database.db.insert(members).values({ consumerId, accountId: account.id, role: "owner" });
    expect((await invited.get("/invitation")).words).not.toContain(instead);
    await database.db.delete(members).where(eq(members.accountId, account.id));
    const accepted = (await invited.post("/invitation", { id })).location!;
    expect(accepted).toBe("/merchant?done=joined");
    expect((await invited.get(accepted)).words).toContain("The invitation has been accepted");
    expect((await invited.get("/console")).location).toBe("/merchant");
    expect((await invited.get("/invitation")).words).toContain("You have no invitations");
  });

  it("is refused to another account, which is told which one it is for", async () => {
    const { email, link, id } = await invite();
    const account = await makeAccount(database);
    const other = await logIn(account);
    const page = await other.get(link);
    expect(page.words).toContain(`This invitation is for ${email}, and you are logged in as ${account.email}.`);
    expect((await other.post(link, { id })).status).toBe(404);
    expect((await other.get("/merchant")).status).toBe(403);
    expect((await newVisitor(server.url).post(link, { id })).location).toBe(
      `/login?to=${encodeURIComponent(link)}&unsent`,
    );
  });

  it("is gone on with by another account that logs out, and by whoever logs in then", async () => {
    const { email, name, link } = await invite();
    const other = await logIn(await makeAccount(database));
    const page = await other.get(link);
    const form = /<form[^>]*action="\/logout"[^>]*>.*?<\/form>/s.exec(page.html)![0];
    const out = await other.post("/logout", hidden(form));
    expect(out).toMatchObject({ status: 302, location: link });
    expect(out.headers.get("clear-site-data")).toBe('"storage"');
    const stranger = await other.get(link);
    expect(stranger.words).toContain(`Log in as ${email}`);
    const path = /href="(\/login[^"]*)"/.exec(stranger.html)![1]!.replaceAll("&amp;", "&");
    const passwordHash = await passwords.hash(PASSWORD);
    await makeAccount(database, { email, passwordHash });
    expect((await other.post(path, { email, password: PASSWORD })).location).toBe(link);
    expect((await other.get(link)).words).toContain(`Act for ${name}`);
    // What a form says instead of an invitation leads to the invitation's page, never away from us.
    for (const invitation of ["https://evil.example", "//evil.example", "/\\evil.example", "x&to=//evil.example"]) {
      const led = (await (await logIn(await makeAccount(database))).post("/logout", { invitation })).location!;
      expect(new URL(led, server.url).origin, led).toBe(new URL(server.url).origin);
      expect(new URL(led, server.url).pathname).toBe("/invitation");
      expect([...new URL(led, server.url).searchParams.keys()]).toEqual(["token"]);
    }
  });

  it("says so when it is withdrawn, expired or mangled", async () => {
    const { operator, page, email, link, id } = await invite();
    expect((await operator.get(`${page}?dialog=withdraw&id=${id}`)).words).toContain(email);
    await operator.post(`${page}?index`, { intent: "withdraw", id });
    expect((await newVisitor(server.url).get(link)).words).toContain("This invitation was withdrawn");
    const late = await invite();
    await database.sql`update merchant_invitations set created_at = now() - interval '8 days', expires_at = now() - interval '1 day' where id = ${late.id}`;
    const invited = await logIn(await makeAccount(database, { email: late.email }));
    expect((await invited.get(late.link)).words).toContain("This invitation has expired");
    expect((await invited.post(late.link, { id: late.id })).status).toBe(409);
    expect((await late.operator.get(late.page)).words).toContain("Expired");
    expect((await newVisitor(server.url).get(`${link}x`)).words).toContain("We do not recognise this invitation");
    expect((await newVisitor(server.url).get("/invitation")).location).toBe("/login?to=%2Finvitation");
  });
});

describe("terms", () => {
  it("are written, looked at beside the current ones, and published once that is confirmed", async () => {
    const operator = await makeOperator();
    const written = await operator.get("/admin/terms/new");
    expect(written.words).toContain("Keep keys secret.");
    const body = "# Aisle data-use terms\r\n\r\nVersion 2027-05-01\r\n\r\n1. **Be kind.** To all.\r\n";
    const early = await operator.post("/admin/terms/new", { intent: "preview", version: "2026-09-26", body });
    expect(early.status).toBe(400);
    expect(early.words).toContain("Choose a date after 2026-09-26, the current version.");
    expect(early.html).toContain("Be kind.");
    const preview = await operator.post("/admin/terms/new", { intent: "preview", version: "2027-05-01", body });
    expect(preview.status).toBe(200);
    expect(preview.html).toContain("<ins");
    expect(preview.words).toContain("Gone: 7. Keep keys secret.");
    expect(preview.words).toContain("Be kind. To all.");
    expect(preview.words).not.toContain("The text names version");
    const unchanged = { version: "2027-05-01", body: body.replace("2027-05-01", "2026-09-26") };
    const misnamed = await operator.post("/admin/terms/new", { intent: "preview", ...unchanged });
    expect(misnamed.words).toContain("The text names version 2026-09-26, not 2027-05-01");
    const form = hidden(preview.html);
    const unconfirmed = await operator.post("/admin/terms/new", { ...form, intent: "publish" });
    expect(unconfirmed.status).toBe(400);
    expect(unconfirmed.words).toContain("Tick this to publish.");
    const rewritten = await operator.post("/admin/terms/new", { ...form, intent: "write" });
    expect(rewritten.html).toContain('value="2027-05-01"');
    expect((await operator.get("/terms")).words).toContain("Keep keys secret.");
    const published = await operator.post("/admin/terms/new", { ...form, intent: "publish", confirm: "on" });
    expect(published.location).toBe("/admin/terms?done=terms");
    expect((await operator.get("/terms")).words).toContain("Be kind.");
    expect((await operator.get("/admin/terms")).words).toContain("2027-05-01In force");
    const [{ words: read }, { words: replaced }] = [
      await operator.get("/admin/terms/2027-05-01"),
      await operator.get("/admin/terms/2026-09-26"),
    ];
    expect(read).toMatch(/Terms of 2027-05-01 ?In force ?Published just now by Olwen Price\. No platforms are on it\./);
    expect(read).toMatch(/Text.*Be kind\..*What changed since 2026-09-26/);
    expect(replaced).toMatch(/Terms of 2026-09-26 ?Replaced/);
    const late = await operator.post("/admin/terms/new", {
      ...form,
      version: "2027-06-01",
      intent: "publish",
      confirm: "on",
    });
    expect(late.status).toBe(409);
    expect(late.words).toContain("Version 2027-05-01 was published in the meantime.");
    expect(late.html).toContain('value="2027-06-01"');
  });
});

describe("settings", () => {
  it("are saved; who saw others is shown what differs, and may save theirs all the same", async () => {
    const operator = await makeOperator();
    const page = await operator.get("/admin/settings");
    const { version } = hidden(page.html) as { version: string };
    const form = {
      version,
      approvalRule: "manual",
      "sandboxScopes[]": "catalog:read",
      sandboxRateLimit: "50",
      sandboxMaxKeys: "3",
      playgroundRateLimit: "20",
    };
    const bad = await operator.post("/admin/settings", { ...form, sandboxRateLimit: "", playgroundRateLimit: "-5" });
    expect(bad.status).toBe(400);
    expect(bad.words).toContain("Enter the requests per minute, as a whole number.");
    expect(bad.words).toContain("Enter at least 1.");
    const { "sandboxScopes[]": _, ...noScopes } = form;
    expect((await operator.post("/admin/settings", noScopes)).words).toContain("Choose at least one scope.");
    expect((await operator.post("/admin/settings", form)).location).toBe("/admin/settings?done=settings");
    const saved = await operator.get("/admin/settings?done=settings");
    expect(saved.words).toContain("The settings have been saved");
    expect(saved.words).toContain("by Olwen Price");
    const other = await operator.post("/admin/settings", { ...form, sandboxRateLimit: "70" });
    expect(other.status).toBe(409);
    expect(other.words).toContain("Requests per minute: 50. Yours: 70.");
    const mistyped = await operator.post("/admin/settings", { ...form, sandboxRateLimit: "" });
    expect(hidden(mistyped.html).version, "what was shown when it was typed").toBe(version);
    const { version: now } = hidden(other.html) as { version: string };
    expect(now).not.toBe(version);
    await operator.post("/admin/settings", { ...form, version: now, sandboxRateLimit: "70" });
    expect((await operator.get("/admin/settings")).html).toContain('value="70"');
  });
});

describe("the audit", () => {
  it("tells in words who did what, what changed, and finds it by what the form asks", async () => {
    const account = await makeAccount(database, { isOperator: true, name: "Orla Finch" });
    const operator = await logIn(account);
    const made = await operator.post("/admin/merchants?index", { intent: "name", name: "Before" });
    const renamed = await operator.post(`${made.location}?index`, { intent: "name", name: "After" });
    const requestId = renamed.headers.get("x-request-id")!;
    const found = await operator.get(`/admin/audit?requestId=${requestId}`);
    expect(found.words).toContain("Orla Finch renamed the merchant After");
    expect(found.words).toContain("Name Before → After");
    expect(found.html).toContain(`href="${made.location}"`);
    expect(found.words).not.toContain("Orla Finch created");
    const mine = await operator.get(`/admin/audit?person=${encodeURIComponent(account.email)}&action=merchant`);
    expect(mine.words).toContain("Orla Finch created the merchant After");
    expect((await operator.get("/admin/audit?person=nobody@example.com")).words).toContain("Nothing found");
    const refused = await operator.get("/admin/audit?requestId=x&from=yesterday");
    expect(refused.words).toContain("Enter a request id");
    expect(refused.words).toContain("Enter a date, such as 2026-09-26.");
  });

  it("tells what changed as a list of fields in words, and no text so long that it can't be read whole", async () => {
    const operator = await logIn(await makeAccount(database, { isOperator: true }));
    const ctx = database.as({ kind: "operator", accountId: null });
    const { id } = await makeStore(database);
    const long = "Gear for the hills. ".repeat(40);
    const tier = (name: string, thresholdPoints: number) => ({ name, thresholdPoints });
    await audit.record(ctx, ctx.db, {
      action: "store.edit",
      target: ["store", id],
      before: {
        ...{ id, legalName: "Tarn", aiDiscovery: true, updatedAt: "2026-11-01T09:00:00.000Z", country: "IE" },
        ...{ categories: ["Tents", "Stoves"], tiers: [tier("Gold", 500), tier("Basic", 0)], description: long },
      },
      after: {
        ...{ legalName: null, aiDiscovery: false, updatedAt: "2026-11-02T09:00:00.000Z", country: "IE" },
        ...{
          categories: ["Tents", "Lamps"],
          tiers: [tier("Gold", 1400), tier("Silver", 9)],
          description: `${long}Sea.`,
        },
      },
    });
    const { words } = await operator.get(`/admin/audit?requestId=${ctx.requestId}`);
    for (const said of [
      "AI Discovery yes → no",
      "Categories − Gone: Stoves + New: Lamps 1 unchanged",
      "Legal name Tarn → nothing",
      "Gold Threshold points 500 → 1,400",
      "Updated at 2026-11-01 09:00:00 UTC → 2026-11-02 09:00:00 UTC",
      `Less ${long}Sea.`,
    ])
      expect(words).toContain(said);
    expect(words).toMatch(/New: Silver .*Gone: Basic/);
    expect(words).toMatch(/New: …[^…]*Gear for the hills\. Sea\. All of it/);
    expect(words).not.toMatch(/Country|"|legalName|thresholdPoints/);
  });

  it("is exported as a file of what the filter finds", async () => {
    const account = await makeAccount(database, { isOperator: true });
    const operator = await logIn(account);
    const { location } = await operator.post("/admin/merchants?index", { intent: "name", name: "=1+1" });
    const file = await operator.get(`/admin/audit.csv?targetId=${location!.split("/").at(-1)}`);
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("cache-control")).toBe("no-store");
    const rows = parse(file.html, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toMatchObject([{ action: "merchant.create", target_name: "'=1+1", actor_email: account.email }]);
    const odd = await operator.post("/admin/merchants?index", { intent: "name", name: "A$$AP $& $'" });
    const named = await operator.get(`/admin/audit.csv?targetId=${odd.location!.split("/").at(-1)}`);
    expect(named.html).toMatch(/ A\$\$AP \$& \$'/);
    expect((await operator.get("/admin/audit.csv?requestId=x")).status).toBe(400);
    expect((await operator.get("/admin/audit?action=audit.export")).words).toContain("exported the audit log");
  });

  it.each<[filter: Record<string, string>, name: string]>([
    [{}, ""],
    [{ action: "settings" }, "settings-"],
    [{ targetId: "00000000-0000-7000-8000-000000000000" }, "00000000-0000-7000-8000-000000000000-"],
    [
      { person: "ada@harbour.example", from: "2026-11-01", to: "2026-11-30" },
      "ada-harbour.example-from-2026-11-01-through-2026-11-30-",
    ],
    [{ targetId: "x".repeat(200) }, `${"x".repeat(36)}-`],
  ])("is exported as a file that is named by the filter, as those of usage are: %o", async (filter, named) => {
    const operator = await makeOperator();
    const { headers } = await operator.get(`/admin/audit.csv?${new URLSearchParams(filter)}`);
    const today = new Date().toISOString().slice(0, 10);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="aisle-audit-${named}${today}.csv"`);
  });

  it("is recorded as exported where somebody gets the file: not for its head, nor as data", async () => {
    const account = await makeAccount(database, { isOperator: true });
    const operator = await logIn(account);
    const recorded = async () =>
      (await database.sql`select from audit where action = 'audit.export' and actor_id = ${account.id}`).length;
    const cookie = [...operator.cookies].map((pair) => pair.join("=")).join("; ");
    const head = await fetch(new URL("/admin/audit.csv", server.url), { method: "HEAD", headers: { cookie } });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    await operator.get("/admin/audit.csv.data");
    expect(await recorded()).toBe(0);
    expect((await operator.get("/admin/audit.csv")).status).toBe(200);
    expect(await recorded()).toBe(1);
  });

  it("is not exported where that cannot be recorded, and a page says so", async () => {
    const operator = await makeOperator();
    await database.sql`alter table audit add constraint broken check (action <> 'audit.export') not valid`;
    onTestFinished(async () => void (await database.sql`alter table audit drop constraint broken`));
    const page = await operator.get("/admin/audit.csv");
    expect(page.status).toBe(500);
    expect(page.headers.get("content-disposition")).toBeNull();
    expect(page.html).toContain("Something went wrong on our side.");
  });
});
