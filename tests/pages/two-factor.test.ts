// Two-factor authentication by its pages, without scripts: set up, logged in with, recovered, turned off; and the desk, where
// operators need it.
import { describe, expect, it } from "vitest";
import { codeAt } from "../support/authenticator";
import { testDatabase } from "../support/database";
import { PASSWORD } from "../support/people";
import { makePerson } from "../support/roles";
import { testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { mailingTo, type Visitor, visitorAs, visitors } from "../support/visitor";

const database = testDatabase();
const smtp = testSmtp();
const server = testServer(database, mailingTo(smtp));
const strict = testServer(database, { ...mailingTo(smtp), OPERATORS_SECOND_FACTOR: "required" });
const { visitor, logIn, linkIn, member, isLoggedIn } = visitors(server, smtp, database);
const HERE = "/account/two-factor";
const STEP_MS = 30_000;

/** A code that was not given before: of the step that comes, which is taken already. */
const next = (secret: string) => codeAt(secret, new Date(Date.now() + STEP_MS));

/** As the page shows it for who cannot scan. */
async function setupKey(who: Visitor): Promise<string> {
  await who.post(HERE, { about: "begin", currentPassword: PASSWORD });
  const { html, words } = await who.get(HERE);
  expect(html).toMatch(/<svg aria-label="QR code[^>]*><path d="M\d/);
  return /Setup key ((?:[A-Z2-7]{4} ){8})/.exec(words)![1]!;
}

/** Somebody who has just turned it on, and what they were shown. */
async function careful() {
  const { who, email } = await member();
  const secret = await setupKey(who);
  const { words } = await who.post(HERE, { about: "enable", code: codeAt(secret) });
  const codes = words.match(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/g)!;
  return { who, email, secret, codes, words };
}

describe("an authenticator app", () => {
  it("is set up with the password and its first code, and shows eight recovery codes once", async () => {
    const { who, email } = await member();
    expect((await who.get(HERE)).words).toContain("Two-factor authentication is off");
    const refused = await who.post(HERE, { about: "begin", currentPassword: "nine green umbrellas" });
    expect([refused.status, refused.words.includes("This is not your current password.")]).toEqual([400, true]);

    const secret = await setupKey(who);
    const wrong = await who.post(HERE, { about: "enable", code: "12345" });
    expect([wrong.status, wrong.words.includes("This is not the current code.")]).toEqual([400, true]);
    expect(wrong.words).toContain(secret.trim());

    const shown = await who.post(HERE, { about: "enable", code: codeAt(secret) });
    expect(shown.status).toBe(200);
    expect(shown.words).toContain("This is the only time you will see them");
    const codes = shown.words.match(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/g)!;
    expect(new Set(codes).size).toBe(8);
    const after = await who.get(HERE);
    expect(after.words).toContain("Two-factor authentication is on");
    expect(after.words).toContain("Recovery codes 8 left");
    for (const code of codes) expect(after.html).not.toContain(code);
    expect(after.html).not.toContain(secret.trim());
    expect((await smtp.arrived(email)).at(-1)!.subject).toBe("Two-factor authentication is on for your Aisle account");
  });

  it("is set up where it was begun: another browser of the same person begins anew, and ends the first", async () => {
    const { who, email } = await member();
    const planted = await setupKey(who);
    const other = visitor();
    await logIn(other, email);
    const seen = await other.get(HERE);
    expect(seen.words).toContain("Two-factor authentication is off");
    expect(seen.html).not.toContain(planted.trim());
    const enabled = await other.post(HERE, { about: "enable", code: codeAt(planted) });
    expect([enabled.status, enabled.words.includes("or was started again elsewhere")]).toEqual([409, true]);
    const own = await setupKey(other);
    expect(own).not.toBe(planted);
    expect((await who.get(HERE)).words).toContain("Two-factor authentication is off");
    expect((await other.post(HERE, { about: "enable", code: codeAt(own) })).words).toContain(
      "the only time you will see",
    );
  });

  it("is asked for at the log-in, which then leads where it was to lead", async () => {
    const { email, secret } = await careful();
    const who = visitor();
    const asked = await logIn(who, email, PASSWORD, "/login?to=%2Faccount%2Fsessions");
    expect(asked).toMatchObject({ status: 302, location: "/login/code?to=%2Faccount%2Fsessions" });
    expect(await isLoggedIn(who)).toBe(false);
    const page = await who.get(asked.location!);
    expect(page.html).toMatch(/<input[^>]*autocomplete="one-time-code"/i);
    const wrong = await who.post(asked.location!, { code: "000 000" });
    expect([wrong.status, wrong.words.includes("This is not the current code.")]).toEqual([400, true]);
    expect(wrong.html).not.toContain("000 000");
    expect(await isLoggedIn(who)).toBe(false);
    const done = await who.post(asked.location!, { code: next(secret) });
    expect(done).toMatchObject({ status: 302, location: "/account/sessions" });
    expect(await isLoggedIn(who)).toBe(true);
    expect(who.cookies.has("aisle-log-in")).toBe(false);
  });

  it("leaves nothing to whoever has neither code nor the browser that began", async () => {
    const { email, secret } = await careful();
    const who = visitor();
    await logIn(who, email);
    const stranger = visitor();
    const begin = "/login?to=%2Faccount&again=";
    expect((await stranger.get("/login/code?to=%2Faccount")).location).toBe(begin);
    expect((await stranger.post("/login/code?to=%2Faccount", { code: next(secret) })).location).toBe(begin);
    expect((await stranger.get(begin)).words).toContain("The code must be entered within ten minutes of the password");
    expect(await isLoggedIn(stranger)).toBe(false);
    for (const path of ["/console", "/account", HERE]) expect((await who.get(path)).location).toMatch(/^\/login/);
    const elsewhere = await who.post("/login/code?to=%2Fx%2F..%2F%5Cevil.example", { code: next(secret) });
    expect(elsewhere.location).toBe("/console");
  });

  it("asks on each page for the code of one account: where another one's login was begun since, it is begun again", async () => {
    const [first, second] = [await careful(), await careful()];
    const who = visitor();
    const shown = async (email: string) => {
      await logIn(who, email);
      const { html } = await who.get("/login/code?to=%2Faccount");
      return /name="waitingId" type="hidden" value="([\w-]{16})"/.exec(html)![1]!;
    };
    const waitingId = await shown(first.email);
    expect(await shown(first.email), "another window, the same account").toBe(waitingId);
    const ofSecond = await shown(second.email);
    const asked = await who.post("/login/code?to=%2Faccount", { code: next(first.secret), waitingId });
    expect(asked).toMatchObject({ status: 302, location: "/login?to=%2Faccount&again=" });
    expect((await who.get(asked.location!)).words).toContain("before another account logs in with this browser");
    expect(await isLoggedIn(who)).toBe(false);
    const counted = await database.sql`
      select from rate_limits, accounts a where a.email = ${second.email} and key like 'code%:' || a.id || '%' and points > 0`;
    expect(counted).toHaveLength(0);
    const wrong = await who.post("/login/code?to=%2Faccount", { code: "000 000", waitingId: ofSecond });
    expect([wrong.status, wrong.html.includes(`value="${ofSecond}"`)]).toEqual([400, true]);
    const done = await who.post("/login/code?to=%2Faccount", { code: next(second.secret), waitingId: ofSecond });
    expect(done.location).toBe("/account");
    expect((await who.get("/account")).words).toContain(second.email);
  });

  it("is lost: a recovery code lets in, once, and its page is found from the other", async () => {
    const { email, codes } = await careful();
    const who = visitor();
    await logIn(who, email);
    const page = await who.get("/login/code?to=%2Faccount");
    expect(page.html).toContain('href="/login/code?to=%2Faccount&amp;with=recovery"');
    expect((await who.get("/login/code?to=%2Faccount&with=recovery")).words).toContain("Enter a recovery code");
    expect((await who.post("/login/code?with=recovery", { code: codes[0]! })).location).toBe("/console");
    expect((await who.get(HERE)).words).toContain("Recovery codes 7 left");
    const again = visitor();
    await logIn(again, email);
    expect((await again.post("/login/code?with=recovery", { code: codes[0]! })).status).toBe(400);
  });

  it("is asked for after a reset of the password, too", async () => {
    const { email, secret } = await careful();
    const who = visitor();
    await who.post("/forgot", { email });
    const link = await linkIn(email, "/reset", 2);
    expect((await who.post(link, { password: "nine green umbrellas" })).location).toBe(
      "/login/code?to=%2Faccount%3Fdone%3Dpassword",
    );
    expect(await isLoggedIn(who)).toBe(false);
    expect((await who.post("/login/code", { code: next(secret) })).location).toBe("/console");
    expect(await isLoggedIn(who)).toBe(true);
  });

  it("gets new recovery codes, and is turned off, with the password and a code", async () => {
    const { who, email, secret, codes } = await careful();
    const both = { currentPassword: PASSWORD, code: next(secret) };
    const renewed = await who.post(HERE, { about: "renew", ...both });
    const others = renewed.words.match(/\b[a-z2-7]{4}(-[a-z2-7]{4}){3}\b/g)!;
    expect([others.length, others.some((code) => codes.includes(code))]).toEqual([8, false]);
    const used = await who.post(HERE, { about: "disable", ...both });
    expect([used.status, used.words.includes("This code has already been used.")]).toEqual([400, true]);
    const off = await who.post(HERE, { about: "disable", currentPassword: PASSWORD, code: others[0]! });
    expect(off.location).toBe(`${HERE}?done=second-factor-off`);
    expect((await who.get(off.location!)).words).toContain("Your password alone logs you in.");
    const again = visitor();
    expect((await logIn(again, email)).location).toBe("/console");
  });

  it("is asked for before the account is deleted, in the dialog and by its name", async () => {
    const { who, email, secret } = await careful();
    expect((await who.get("/account/delete")).words).toContain(
      "You will confirm with your password, a code and your email address",
    );
    expect((await who.get("/account/delete?dialog=delete")).words).toContain("From your app, or a recovery code.");
    const remove = (confirm: string, code: string) =>
      who.post("/account/delete?dialog=delete", { confirm, currentPassword: PASSWORD, code });
    const nothing = await remove("", "");
    expect([nothing.status, nothing.words.includes("Enter the code.")]).toEqual([400, true]);
    const missing = await remove(email, "");
    expect([missing.status, missing.words.includes("Enter the code.")]).toEqual([400, true]);
    expect((await remove(email, "12345")).words).toContain("A code from the app has 6 digits.");
    expect((await remove(email, next(secret))).location).toBe("/login?done=deleted");
  });

  it("is in the person's own data, without its secret", async () => {
    const { who, secret, codes } = await careful();
    const { html } = await who.get("/account/data.json");
    expect(JSON.parse(html).second_factor).toEqual([{ enabled_at: expect.any(String), recovery_codes: 8 }]);
    for (const part of [secret.trim(), secret.replaceAll(" ", ""), ...codes]) expect(html).not.toContain(part);
  });
});

describe("the desk, where operators need a second factor", () => {
  it("leads to where it is set up, page and file alike, and opens once it is", async () => {
    const who = visitorAs(strict.url, (await makePerson(database, "operator", "")).cookie);
    for (const path of ["/admin", "/admin/consumers", "/admin/audit.csv"])
      expect((await who.get(path)).location).toBe(`${HERE}?required`);
    expect((await who.get(`${HERE}?required`)).words).toContain(
      "The operator pages open once two-factor authentication is on",
    );
    await database.sql`insert into second_factors (account_id, secret, enabled_at)
      select account_id, 'x', now() from sessions order by created_at desc, id limit 1`;
    expect((await who.get("/admin")).status).toBe(200);
  });

  it("is open without one where they do not", async () => {
    const who = visitorAs(server.url, (await makePerson(database, "operator", "")).cookie);
    expect((await who.get("/admin")).status).toBe(200);
  });
});
