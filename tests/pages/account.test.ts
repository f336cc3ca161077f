// The pages of an account, without scripts: over HTTP, against started servers, with mail by real SMTP.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { newEmail, PASSWORD } from "../support/people";
import { testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { mailingTo, visitors } from "../support/visitor";

const database = testDatabase();
const smtp = testSmtp();
const server = testServer(database, mailingTo(smtp));
const { visitor, signUp, logIn, linkIn, member, isLoggedIn } = visitors(server, smtp, database);
const OTHER = "nine green umbrellas";

/** What a page says, but for what differs with every request. */
const shape = (html: string, email: string) =>
  html
    .replaceAll(email, "EMAIL")
    .replace(/nonce="[^"]*"|nonce-[^']*/g, "")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, "ID");

describe("from a stranger to a session and out again", () => {
  it("signs up, follows the link, confirms with the button, logs in, logs out", async () => {
    const who = visitor();
    const email = newEmail();
    const signedUp = await signUp(who, email);
    expect(signedUp.status).toBe(200);
    expect(signedUp.words).toContain(`We have sent an email to ${email}`);

    const link = await linkIn(email, "/verify");
    for (let i = 0; i < 3; i++) expect((await who.get(link)).words).toContain("Confirm this address");
    expect((await who.post(link, {})).location).toBe("/login?done=verified");
    const confirmed = await who.get("/login?done=verified");
    expect(confirmed.words).toContain("Your address is confirmed");
    expect(confirmed.html).toContain(`value="${email}"`);

    expect(await isLoggedIn(who)).toBe(false);
    expect(await logIn(who, email)).toMatchObject({ status: 302, location: "/console" });
    expect(await isLoggedIn(who)).toBe(true);
    // Whoever uses the browser next is not told.
    expect(who.cookies.has("aisle-confirmed")).toBe(false);

    expect(await who.post("/logout", {})).toMatchObject({ status: 302, location: "/login?done=logged-out" });
    expect(who.cookies.has("aisle")).toBe(false);
    expect(await isLoggedIn(who)).toBe(false);
  });

  it("what is kept is told in another tab, so that the form stays as it was filled in", async () => {
    const { html } = await visitor().get("/signup");
    expect(html).toMatch(/<a [^>]*(?=[^>]*target="_blank")(?=[^>]*rel="noopener")[^>]*href="\/docs#data"/);
  });

  it("answers a sign-up alike whether or not the address is taken", async () => {
    const { email: taken } = await member();
    const free = newEmail();
    const [onTaken, onFree] = [await signUp(visitor(), taken), await signUp(visitor(), free)];
    expect(onTaken.status).toBe(onFree.status);
    expect(shape(onTaken.html, taken)).toBe(shape(onFree.html, free));
    const cookies = (page: typeof onTaken) => page.headers.getSetCookie().map((header) => header.split("=")[0]);
    expect(cookies(onTaken)).toEqual(cookies(onFree));
    expect((await smtp.arrived(taken)).at(-1)!.subject).toBe("You already have an Aisle account");
  });

  it.each([["/resend"], ["/forgot"]])("%s answers alike for an address without an account", async (page) => {
    const { email: known } = await member();
    const unknown = newEmail();
    const onKnown = await visitor().post(page, { email: known });
    const onUnknown = await visitor().post(page, { email: unknown });
    expect([onKnown.status, onUnknown.status]).toEqual([200, 200]);
    expect(shape(onKnown.html, known)).toBe(shape(onUnknown.html, unknown));
  });

  it("tells of an unverified address only after the right password, and sends the link again with one button", async () => {
    const who = visitor();
    const email = newEmail();
    await signUp(who, email);
    const wrong = await logIn(who, email, OTHER);
    expect(wrong.status).toBe(403);
    expect(wrong.words).toContain("The address or the password is wrong.");
    expect(wrong.words).not.toContain("Confirm your address first");

    const right = await logIn(who, email);
    expect(right.status).toBe(403);
    expect(right.words).toContain("Confirm your address first");
    const [form] = /<form[^>]*action="\/resend".*?<\/form>/s.exec(right.html)!;
    expect(form).toMatch(new RegExp(`<input[^>]*name="email"[^>]*value="${email}"`));
    expect(await isLoggedIn(who)).toBe(false);

    expect((await who.post("/resend", { email })).status).toBe(200);
    await who.post(await linkIn(email, "/verify", 2), {});
    expect((await logIn(who, email)).location).toBe("/console");
  });

  it("asks for the password where the link is opened in another browser, and that one holds", async () => {
    const email = newEmail();
    await signUp(visitor(), email);
    const elsewhere = visitor();
    const link = await linkIn(email, "/verify");
    expect((await elsewhere.get(link)).html).toMatch(/autocomplete="new-password"/i);
    const refused = await elsewhere.post(link, { name: "Ada", password: "short" });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("Use at least 10 characters.");
    expect((await elsewhere.post(link, { name: "Ada", password: OTHER })).location).toBe("/login?done=verified");
    expect((await logIn(elsewhere, email)).status).toBe(403);
    expect((await logIn(elsewhere, email, OTHER)).location).toBe("/console");
  });

  it("a reset logs in here and ends every other session; its link works once", async () => {
    const { who: old, email } = await member();
    const who = visitor();
    await who.post("/forgot", { email });
    const link = await linkIn(email, "/reset");
    expect((await who.get(link)).words).toContain("Choose a new password");
    expect(await isLoggedIn(old)).toBe(true);
    const done = await who.post(link, { password: OTHER });
    expect(done).toMatchObject({ status: 302, location: "/account?done=password" });
    expect((await who.get(done.location!)).words).toContain("Your password has been changed");
    expect(await isLoggedIn(who)).toBe(true);
    expect(await isLoggedIn(old)).toBe(false);
    expect((await logIn(visitor(), email)).status).toBe(403);
    expect((await who.post(link, { password: PASSWORD })).words).toContain("This link has already been used");
  });

  it("says of each link why it does not work, with one thing to do next", async () => {
    const email = newEmail();
    const who = visitor();
    await signUp(who, email);
    const link = await linkIn(email, "/verify");
    await database.sql`
      update account_tokens set expires_at = now() - interval '1 second'
      where account_id = (select id from accounts where email = ${email})`;
    const next = (html: string) =>
      [.../<main.*<\/main>/s.exec(html)![0].matchAll(/href="([^"]+)"/g)].map(([, to]) => to);
    const expired = await who.get(link);
    expect([expired.words.includes("This link has expired"), next(expired.html)]).toEqual([true, ["/resend"]]);
    expect((await who.post(link, {})).words).toContain("This link has expired");

    for (const [page, step] of [
      ["/verify", "/resend"],
      ["/reset", "/forgot"],
      ["/confirm-email", "/account"],
    ]) {
      for (const query of ["", "?token=", "?token=nonsense", `?token=${"x".repeat(5_000)}`, "?token=%00"]) {
        const unknown = await who.get(page + query);
        expect(unknown.status).toBe(200);
        expect([unknown.words.includes("We do not recognise this link"), next(unknown.html)]).toEqual([true, [step]]);
      }
    }
  });
});

describe("a form that was refused", () => {
  it("names each field's error beside it and keeps what was typed, but never a password", async () => {
    const { status, html, words } = await visitor().post("/signup", {
      name: 'Ada "Countess" <b>',
      email: "ada@nowhere",
      password: "password123",
    });
    expect(status).toBe(400);
    expect(words).toContain("Enter an email address.");
    expect(words).toContain("This password is too easy to guess");
    const input = (name: string) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)![0];
    expect(input("name")).toContain('value="Ada &quot;Countess&quot; &lt;b&gt;"');
    expect(input("email")).toContain('value="ada@nowhere"');
    expect(input("password")).not.toContain("value=");
    expect(html).not.toContain("password123");
    for (const name of ["email", "password"]) {
      expect(input(name)).toContain('aria-invalid="true"');
      const [, id] = /aria-describedby="([^" ]+)/.exec(input(name))!;
      expect(html).toContain(`id="${id}"`);
    }
    expect(input("name")).not.toContain('aria-invalid="');
  });

  it("refuses a body that is no form with 400", async () => {
    const { status } = await visitor().post("/login", {}, { origin: server.url, "content-type": "text/plain" });
    expect(status).toBe(400);
  });

  it("refuses a body above 256 KiB with 413", async () => {
    const post = (length: number) => visitor().post("/resend", { email: "a".repeat(length - "email=".length) });
    expect((await post(262_144)).status).toBe(400);
    expect((await post(262_145)).status).toBe(413);
  });

  it("stops guesses, and says how long to wait", async () => {
    const { email } = await member();
    const who = visitor();
    for (let i = 0; i < 5; i++) expect((await logIn(who, email, OTHER)).status).toBe(403);
    const refused = await logIn(who, email);
    expect(refused.status).toBe(429);
    expect(refused.words).toMatch(/Wait \d+ minutes?/);
    expect(waitOf(refused)).toBeGreaterThan(60);
    expect(waitOf(refused)).toBeLessThanOrEqual(15 * 60);
  });

  it("says with every 429 when to come back: to forms, to scripts, and where there is no page", async () => {
    const { email } = await member();
    const stranger = visitor();
    const links = [];
    for (let i = 0; i < 4; i++) links.push(await stranger.post("/forgot", { email }));
    expect(links.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(links.slice(0, 3).map(waitOf)).toEqual([0, 0, 0]);
    const byScript = await stranger.post("/forgot.data", { email });

    const who = visitor();
    await logIn(who, email);
    const files = [];
    for (let i = 0; i < 11; i++) files.push(await who.get("/account/data.json"));
    expect(files.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
    const byCall = await who.get("/api/trpc/account.ownData");
    for (const refused of [links[3]!, byScript, files[10]!, byCall]) {
      const wait = waitOf(refused);
      expect([refused.status, Number.isInteger(wait), wait > 0, wait <= 60 * 60]).toEqual([429, true, true, true]);
    }
  });
});

it("one's own data are recorded as taken where somebody gets them: not for their head, nor as data", async () => {
  const { who, email } = await member();
  const taken = async () =>
    (
      await database.sql`
        select from audit where action = 'account.take_data' and actor_id = (select id from accounts where email = ${email})`
    ).length;
  const file = new URL("/account/data.json", server.url);
  const cookie = [...who.cookies].map((pair) => pair.join("=")).join("; ");
  const head = await fetch(file, { method: "HEAD", headers: { cookie } });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  await who.get("/account/data.json.data");
  const stranger = await fetch(file, { method: "HEAD", redirect: "manual" });
  expect([stranger.status, stranger.headers.get("location")]).toEqual([302, "/login?to=%2Faccount"]);
  expect(await taken()).toBe(0);
  expect(JSON.parse((await who.get("/account/data.json")).html)).toMatchObject({ account: { email } });
  expect(await taken()).toBe(1);
});

/** Seconds. */
const waitOf = ({ headers }: { headers: Headers }): number => Number(headers.get("retry-after"));

describe("the account pages", () => {
  it.each(["/account?index", "/account/password", "/account/sessions", "/account/delete"])(
    "%s needs a log-in",
    async (page) => {
      const who = visitor();
      const back = `/login?to=${encodeURIComponent(page.replace("?index", ""))}`;
      expect((await who.get(page)).location).toBe(back);
      expect((await who.get(back)).words).not.toContain("Your session has ended");
      const sent = await who.post(page, { about: "name", name: "x" });
      expect(sent).toMatchObject({ status: 302, location: `${back}&unsent` });
      expect((await who.get(sent.location!)).words).toContain("What you sent was not saved.");
    },
  );

  it("a form sent after the session ended leads back to its page by the log-in, with nothing done", async () => {
    const { who, email } = await member();
    await who.post("/logout", {});
    const { location } = await who.post("/account?index", { about: "name", name: "Somebody Else" });
    expect((await who.post(location!, { email, password: PASSWORD })).location).toBe("/account");
    expect((await who.get("/account")).html).not.toContain("Somebody Else");
  });

  it("changes the name, and keeps a refused one in its field", async () => {
    const { who } = await member();
    expect((await who.post("/account?index", { about: "name", name: "Ada King" })).location).toBe("/account?done=name");
    expect((await who.get("/account")).html).toContain('value="Ada King"');
    const refused = await who.post("/account?index", { about: "name", name: "  " });
    expect([refused.status, refused.words.includes("Enter your name.")]).toEqual([400, true]);
  });

  it("changes the address only by the link in a mail to the new one", async () => {
    const { who, email } = await member();
    const next = newEmail();
    const wrong = await who.post("/account?index", { about: "email", email: next, currentPassword: OTHER });
    expect(wrong.status).toBe(400);
    expect(wrong.words).toContain("This is not your current password.");
    expect(wrong.html).toContain(`value="${next}"`);
    const asked = await who.post("/account?index", { about: "email", email: next, currentPassword: PASSWORD });
    expect(asked.location).toBe("/account?done=email-asked");
    expect((await who.get("/account")).words).toContain(`${next}Not confirmed`);
    // Once it is out: what waits still is withdrawn with the address.
    await linkIn(next, "/confirm-email");
    const withdrawn = await who.post("/account?index", { about: "withdraw", email: next });
    expect(withdrawn.location).toBe("/account?done=email-withdrawn");
    const without = (await who.get(withdrawn.location!)).words;
    expect(without).toContain("The new address is withdrawn");
    expect(without).not.toContain("Not confirmed");
    expect((await who.post("/account?index", { about: "withdraw", email: next })).words).toContain("waits no more");
    await who.post("/account?index", { about: "email", email: next, currentPassword: PASSWORD });

    const link = await linkIn(next, "/confirm-email", 2);
    expect((await who.get(link)).words).toContain(`log in with ${next}`);
    expect((await logIn(visitor(), email)).location).toBe("/console");
    expect((await who.post(link, {})).location).toBe("/account?done=email");
    expect((await who.post(link, {})).words).toContain("This link has already been used");
    expect((await logIn(visitor(), email)).status).toBe(403);
    expect((await logIn(visitor(), next)).location).toBe("/console");
  });

  it("tells who confirms a new address elsewhere, with the password, to log in with it, and another account nothing of its own", async () => {
    for (const elsewhere of [visitor(), (await member()).who]) {
      const { who } = await member();
      const next = newEmail();
      await who.post("/account?index", { about: "email", email: next, currentPassword: PASSWORD });
      const link = await linkIn(next, "/confirm-email");
      expect((await elsewhere.get(link)).words).toContain("You are not logged in to that account here");
      const { location } = await elsewhere.post(link, { currentPassword: PASSWORD });
      expect(location).toBe("/login?done=email");
      const page = await elsewhere.get(location!);
      expect(page.words).toContain("Your address has been changed");
      expect(page.html).toContain(`value="${next}"`);
      expect((await logIn(elsewhere, next)).location).toBe("/console");
    }
  });

  it("gives no account to a stranger whose address was asked for by mistake, whatever they press", async () => {
    const { who, email } = await member();
    const strangers = newEmail();
    await who.post("/account?index", { about: "email", email: strangers, currentPassword: PASSWORD });
    const stranger = visitor();
    const link = await linkIn(strangers, "/confirm-email");
    expect((await stranger.get(link)).html).not.toContain(email);
    for (const fields of [{}, { currentPassword: "" }, { currentPassword: OTHER }]) {
      const refused = await stranger.post(link, fields as Record<string, string>);
      expect(refused.status).toBe(400);
      expect(refused.html).toMatch(/<input(?=[^>]*name="currentPassword")(?=[^>]*aria-invalid="true")/);
      expect(refused.html).not.toContain(email);
    }
    await stranger.post("/forgot", { email: strangers });
    expect((await logIn(visitor(), email)).location).toBe("/console");
    expect((await smtp.arrived(strangers)).map(({ subject }) => subject)).toEqual([
      "Confirm your new address for Aisle",
    ]);
    expect((await who.get("/account")).words).toContain(`${strangers}Not confirmed`);
  });

  it("a confirmed sign-up is told of also where another account is logged in", async () => {
    const email = newEmail();
    await signUp(visitor(), email);
    const { who } = await member();
    const confirmed = await who.post(await linkIn(email, "/verify"), { name: "Ada", password: PASSWORD });
    expect((await who.get(confirmed.location!)).words).toContain("Your address is confirmed");
  });

  it("a new password keeps this session alone", async () => {
    const { who, email } = await member();
    const other = visitor();
    await logIn(other, email);
    const before = who.cookies.get("aisle");
    const change = (currentPassword: string) => who.post("/account/password", { currentPassword, newPassword: OTHER });
    expect((await change("wrong password")).status).toBe(400);
    expect(await isLoggedIn(other)).toBe(true);
    expect((await change(PASSWORD)).location).toBe("/account/password?done=password");
    expect(who.cookies.get("aisle")).not.toBe(before);
    expect([await isLoggedIn(who), await isLoggedIn(other)]).toEqual([true, false]);
  });

  it("tells sessions of the same device apart where they are ended", async () => {
    const { who, email } = await member();
    for (const minutes of [1, 2]) {
      await logIn(visitor(), email);
      await database.sql`update sessions set created_at = created_at - ${minutes} * interval '1 minute'`;
    }
    const { html } = await who.get("/account/sessions");
    const names = [...html.matchAll(/aria-label="(End the session of [^"]+)"/g)].map(([, name]) => name);
    expect([names.length, new Set(names).size]).toEqual([2, 2]);
  });

  it("lists sessions by device, marks this one, ends one, ends all", async () => {
    const { who, email } = await member();
    const phone = visitor("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1");
    await logIn(phone, email);
    const listed = await who.get("/account/sessions");
    expect(listed.words).toContain("This browser");
    const ids = [...listed.html.matchAll(/dialog=end&amp;id=([0-9a-f]{64})/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(1);
    const asks = await who.get(`/account/sessions?dialog=end&id=${ids[0]}`);
    expect(asks.words).toMatch(/End the session of Safari on iOS\?/);

    // Another person's session is none of theirs.
    const { who: stranger } = await member();
    await stranger.post("/account/sessions", { about: "one", id: ids[0]! });
    expect(await isLoggedIn(phone)).toBe(true);

    await who.post("/account/sessions", { about: "one", id: ids[0]! });
    expect([await isLoggedIn(who), await isLoggedIn(phone)]).toEqual([true, false]);
    await logIn(phone, email);
    expect((await who.post("/account/sessions", { about: "everywhere" })).location).toBe(
      "/login?done=logged-out-everywhere",
    );
    expect([await isLoggedIn(who), await isLoggedIn(phone)]).toEqual([false, false]);
  });

  it("gives all that is stored about the person as a file, to nobody else", async () => {
    const { who, email } = await member();
    const [, href] = /href="(\/account\/data\.json\?accountId=[\w-]+)"/.exec((await who.get("/account")).html)!;
    const { status, headers, html } = await who.get(href!);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe('attachment; filename="aisle-data.json"');
    expect(headers.get("cache-control")).toContain("no-store");
    expect(JSON.parse(html)).toMatchObject({ account: { email }, sessions: [{ address: expect.any(String) }] });
    expect((await visitor().get("/account/data.json")).location).toBe("/login?to=%2Faccount");
  });

  it("lists where one has access, and leaves there once asked whether; the last owner stays", async () => {
    const { who, email } = await member();
    const [consumer, own] = [await makeConsumer(database, { name: "Trail Finder" }), await makeConsumer(database)];
    const { merchantId } = await makeStore(database, { name: "Ridge & Sons" });
    const [account] = await database.sql`select id from accounts where email = ${email}`;
    await database.sql`
      insert into members (consumer_id, account_id, role) values
        (${consumer.id}, ${account!.id}, 'owner'), (${own.id}, ${account!.id}, 'owner')`;
    await database.sql`delete from members where consumer_id = ${own.id} and account_id <> ${account!.id}`;
    await database.sql`insert into merchant_members (merchant_id, account_id) values (${merchantId}, ${account!.id})`;
    const page = await who.get("/account/access");
    expect(page.html).toContain('aria-label="Leave Trail Finder"');
    expect(page.words).toContain("You are the last owner");
    expect((await who.get(`/account/access?dialog=platform&id=${consumer.id}`)).words).toContain(
      "Leave “Trail Finder”? You lose access from your next request.",
    );
    expect((await who.get(`/account/access?dialog=merchant&id=${merchantId}`)).words).toContain(
      "No one is left to manage its stores",
    );
    const leave = (place: string, id: string) => who.post("/account/access", { place, id });
    expect((await leave("platform", consumer.id)).location).toBe("/account/access?done=left");
    expect((await leave("merchant", merchantId)).location).toBe("/account/access?done=left");
    const refused = await leave("platform", own.id);
    expect([refused.status, refused.words]).toEqual([409, expect.stringContaining("You are its last owner.")]);
    expect((await leave("planet", own.id)).status).toBe(400);
    const left = await database.sql`select consumer_id from members where account_id = ${account!.id}`;
    expect(left).toEqual([{ consumer_id: own.id }]);
  });

  it("says what deleting does, and deletes only with the address typed and the password", async () => {
    const { who, email } = await member();
    const [row] = await database.sql<{ id: string }[]>`
      insert into consumers (id, slug, name, state, scopes, rate_limit, max_keys)
      values (gen_random_uuid(), ${randomBytes(6).toString("hex")}, 'Byrne Assistant', 'sandbox', '{catalog:read}', 60, 2)
      returning id`;
    await database.sql`
      insert into members (consumer_id, account_id, role)
      select ${row!.id}, id, 'owner' from accounts where email = ${email}`;
    expect((await who.get("/account/delete")).words).toContain(
      "Byrne Assistant loses access, because you are its last owner.",
    );
    await database.sql`update accounts set is_operator = true where email = ${email}`;
    expect((await who.get("/account/delete")).words).toContain("You are the last operator.");
    await database.sql`update accounts set is_operator = false where email = ${email}`;
    const remove = (confirm: string, currentPassword: string) =>
      who.post("/account/delete?dialog=delete", { confirm, currentPassword });
    expect((await remove("somebody@else.example", PASSWORD)).status).toBe(400);
    expect((await remove(email, OTHER)).words).toContain("This is not your current password.");
    expect(await isLoggedIn(who)).toBe(true);

    expect((await remove(email, PASSWORD)).location).toBe("/login?done=deleted");
    expect(who.cookies.has("aisle")).toBe(false);
    expect((await logIn(visitor(), email)).status).toBe(403);
    const [left] = await database.sql`select state from consumers where id = ${row!.id}`;
    expect(left!.state).toBe("revoked");
  });

  it("deletes nothing where something else would happen by now than the form was sent from, and shows that first", async () => {
    const { who, email } = await member();
    const { id, owner } = await makeConsumer(database, { name: "Trail Finder" });
    await database.sql`
      insert into members (consumer_id, account_id, role) select ${id}, id, 'owner' from accounts where email = ${email}`;
    const path = "/account/delete?dialog=delete";
    const shownIn = (html: string) => /name="shown" type="hidden" value="([^"]+)"/.exec(html)![1]!;
    const remove = (shown: string) => who.post(path, { confirm: email, currentPassword: PASSWORD, shown });
    const before = await who.get(path);
    expect(before.words).toContain("Trail Finder continues without you as its owner");
    await database.sql`delete from members where account_id = ${owner.id}`;
    const refused = await remove(shownIn(before.html));
    expect(refused.status).toBe(409);
    expect(refused.words).toContain("has changed in the meantime, so nothing was deleted.");
    expect(refused.words).toContain("Trail Finder loses access, because you are its last owner.");
    expect(refused.words).not.toContain("continues without you");
    expect(shownIn(refused.html)).not.toBe(shownIn(before.html));
    expect(await isLoggedIn(who)).toBe(true);
    expect((await remove(shownIn(refused.html))).location).toBe("/login?done=deleted");
  });
});
