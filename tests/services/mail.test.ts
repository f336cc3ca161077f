import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outbox } from "../../db/schema/operations";
import { contextFor } from "../../server/context";
import { standing } from "../../server/services/health";
import * as mail from "../../server/services/mail";
import { render, type Template, type TemplateData } from "../../server/services/mail-templates";
import { colours } from "../../tailwind.config";
import { testCore, testDatabase, untilWaiting } from "../support/database";
import { mails as data } from "../support/mails";
import { testSmtp } from "../support/smtp";

const database = testDatabase();
const smtp = testSmtp();
const FROM = "Aisle <no-reply@aisle.example>";
const MINUTE_MS = 60_000;

beforeEach(() => database.db.delete(outbox));
afterEach(() => {
  Object.assign(smtp, { refuse: undefined, refuseAll: undefined, refuseSender: undefined });
});

const system = (now?: Date) => database.as({ kind: "system" }, now);
const newAddress = () => `${randomBytes(5).toString("hex")}@example.com`;

/** A mail in the outbox, by a cause that committed. */
async function queue<T extends Template>(template: T, data: TemplateData[T], to = newAddress()) {
  const ctx = system();
  await ctx.db.transaction((tx) => mail.send(ctx, tx, { to, template, data }));
  return to;
}
const rowOf = async (to: string) => (await database.db.select().from(outbox).where(eq(outbox.recipient, to)))[0]!;

async function deliver(now?: Date) {
  const transport = mail.smtp(smtp.url, FROM);
  const told = await mail.deliverDue(system(now), transport);
  transport.close();
  return told;
}

describe("a mail", () => {
  it("goes out as text and HTML, with its row's Message-ID and a link of our own", async () => {
    const to = await queue("verify", { token: "the-token" });
    await deliver();
    const [message] = smtp.to(to);
    const { id } = await rowOf(to);
    const link = "https://aisle.example/verify?token=the-token";
    expect(message).toMatchObject({
      messageId: `<${id}@aisle.example>`,
      subject: "Confirm your address for Aisle",
      from: { text: '"Aisle" <no-reply@aisle.example>' },
    });
    expect(message!.text).toContain(link);
    expect(message!.html).toContain(`href="${link}"`);
    expect(message!.headers.get("auto-submitted")).toBe("auto-generated");
    expect(message!.attachments).toEqual([]);
  });

  it("arrives once, though two workers run at the same time", async () => {
    const to = await Promise.all(Array.from({ length: 20 }, () => queue("verify", { token: "x" })));
    const told = await Promise.all([deliver(), deliver()]);
    expect(told.reduce((sum, { sent }) => sum + sent, 0)).toBe(20);
    expect(to.map((address) => smtp.to(address).length)).toEqual(to.map(() => 1));
  });

  it("waits where the server stops, but for those under way", async () => {
    const to = await Promise.all(Array.from({ length: 6 }, () => queue("verify", { token: "x" })));
    const stopping = new AbortController();
    const transport = { deliver: async () => stopping.abort(), close() {} };
    expect(await mail.deliverDue(system(), transport, stopping.signal)).toMatchObject({ sent: 5, failed: 0 });
    const waiting = await Promise.all(to.map(rowOf));
    expect(waiting.filter(({ attempts, sentAt }) => attempts === 0 && sentAt === null)).toHaveLength(1);
  });

  it("that a later release has written waits for it, whole, and is counted as late", async () => {
    const [later, own] = [await queue("verify", { token: "of-later" }), await queue("verify", { token: "x" })];
    const since = new Date(Date.now() - 30 * MINUTE_MS);
    await database.db
      .update(outbox)
      .set({ template: "of-a-later-release", createdAt: since, nextAttemptAt: since })
      .where(eq(outbox.recipient, later));
    expect(await deliver()).toMatchObject({ sent: 1, failed: 0 });
    expect(smtp.to(own)).toHaveLength(1);
    expect(await rowOf(later)).toMatchObject({
      attempts: 0,
      nextAttemptAt: since,
      data: { token: "of-later" },
      lastError: null,
      deadAt: null,
    });
    const now = await standing(testCore(database));
    expect(now.outbox).toMatchObject({ waiting: 1, dead: 0 });
    expect(now.outbox.overdueSeconds).toBeGreaterThanOrEqual(30 * 60);
  });

  it("is not sent when its cause was rolled back", async () => {
    const to = newAddress();
    const ctx = system();
    const undone = ctx.db.transaction(async (tx) => {
      await mail.send(ctx, tx, { to, template: "password-changed", data: {} });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await deliver();
    expect(smtp.to(to)).toEqual([]);
  });

  it("leaves no token behind once it is sent: template and recipient stay", async () => {
    const to = await queue("reset", { token: "a-secret-token" });
    await deliver();
    expect(await rowOf(to)).toMatchObject({
      template: "reset",
      data: {},
      nextAttemptAt: null,
      deadAt: null,
      attempts: 1,
    });
    const [everything] = await database.sql`select string_agg(o::text, '') as text from outbox o`;
    expect(everything!.text).not.toContain("a-secret-token");
  });
});

describe("a mail that is refused", () => {
  it("is tried again after ever longer waits, and is dead after the eighth", async () => {
    smtp.refuse = "450 4.7.1 Greylisted:";
    const to = await queue("verify", { token: "a-refused-token" });
    const waits: number[] = [];
    let now = new Date();
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect(await deliver(now)).toMatchObject({ sent: 0, failed: 1 });
      const row = await rowOf(to);
      expect(row.attempts).toBe(attempt);
      if (!row.nextAttemptAt) break;
      expect(await deliver(new Date(row.nextAttemptAt.getTime() - 1))).toMatchObject({ sent: 0, failed: 0 });
      waits.push((row.nextAttemptAt.getTime() - now.getTime()) / MINUTE_MS);
      now = row.nextAttemptAt;
    }
    smtp.refuse = undefined;
    expect(waits).toHaveLength(7);
    for (const [i, minutes] of waits.entries()) {
      expect(minutes).toBeGreaterThanOrEqual(3 ** i * 0.75);
      expect(minutes).toBeLessThanOrEqual(3 ** i * 1.25);
    }
    const dead = await rowOf(to);
    expect(dead).toMatchObject({ attempts: 8, data: {}, nextAttemptAt: null, sentAt: null });
    expect(dead.deadAt).toEqual(now);
    expect(await deliver(new Date(now.getTime() + 365 * 24 * 60 * MINUTE_MS))).toMatchObject({ sent: 0, failed: 0 });
    expect(smtp.to(to)).toEqual([]);
  });

  it("leaves nothing once it is given up where nobody here has to do with its address any more", async () => {
    smtp.refuse = "550 5.1.1 No such user:";
    const told = await Promise.all([queue("account-deleted", {}), queue("email-changed-notice", {})]);
    const kept = await queue("password-changed", {});
    await database.sql`update outbox set attempts = 7 where recipient in ${database.sql([...told, kept])}`;
    await deliver();
    smtp.refuse = undefined;
    const left = await database.sql`select recipient from outbox where recipient in ${database.sql([...told, kept])}`;
    expect(left).toEqual([{ recipient: kept }]);
  });

  it("is to one address, whatever that looks like", async () => {
    const [first, second] = [newAddress(), newAddress()];
    const to = await queue("password-changed", {}, `${first}, ${second}`);
    await deliver();
    expect([...smtp.to(first), ...smtp.to(second)]).toEqual([]);
    expect(await rowOf(to)).toMatchObject({ sentAt: null });
  });

  it("is remembered by codes, without the address that the server named", async () => {
    smtp.refuse = "550 5.1.1 No such user:";
    const to = await queue("password-changed", {});
    await deliver();
    smtp.refuse = undefined;
    const { lastError } = await rowOf(to);
    expect(lastError).toBe("EENVELOPE RCPT TO 550 5.1.1");
  });

  it("goes out with the same Message-ID when the server has come to its senses", async () => {
    smtp.refuse = "451 4.3.0 Try later";
    const to = await queue("password-changed", {});
    await deliver();
    smtp.refuse = undefined;
    const before = await rowOf(to);
    await deliver(before.nextAttemptAt!);
    expect(smtp.to(to).map(({ messageId }) => messageId)).toEqual([before.messageId]);
    expect(await rowOf(to)).toMatchObject({ lastError: null, data: {}, attempts: 2 });
  });

  it("with a 421 for its recipient is a refusal like any other, and keeps no other mail waiting", async () => {
    smtp.refuse = "421 4.7.0 Messages from you are deferred for";
    const to = await Promise.all(Array.from({ length: 12 }, () => queue("password-changed", {})));
    const now = new Date(Date.now() + 1_000);
    expect(await deliver(now)).toEqual({ sent: 0, failed: 12, isAway: false });
    for (const address of to) {
      const row = await rowOf(address);
      expect(row).toMatchObject({ attempts: 1, lastError: expect.stringContaining("421") });
      expect(row.nextAttemptAt!.getTime()).toBeGreaterThan(now.getTime() + mail.AWAY_MS);
    }
  });

  it("by a server that lets nobody in waits for it, uncounted", async () => {
    smtp.refuseAll = "421 4.3.2 Too busy";
    const to = await queue("password-changed", {});
    expect(await deliver()).toEqual({ sent: 0, failed: 1, isAway: true });
    expect(await rowOf(to)).toMatchObject({ attempts: 0, lastError: "EPROTOCOL CONN 421 4.3.2" });
  });

  it("by a server that is going, before it heard whom it is to, waits for it, uncounted; by one that minds the sender it counts", async () => {
    const to = await queue("password-changed", {});
    for (const [words, isAway] of [
      ["421 4.3.2 Shutting down", true],
      ["451 4.3.2 Not now", false],
    ] as const) {
      smtp.refuseSender = words;
      const now = new Date(Date.now() + (isAway ? 0 : mail.AWAY_MS));
      expect(await deliver(now)).toEqual({ sent: 0, failed: 1, isAway });
    }
    expect(await rowOf(to)).toMatchObject({ attempts: 1, lastError: expect.stringContaining("MAIL FROM 451 4.3.2") });
  });

  it("by a server whose name nobody knows waits for it, uncounted, as does the rest, though others were refused meanwhile", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => queue("password-changed", {})));
    const unknown = Object.assign(new Error("queryA ENOTFOUND"), { code: "EDNS", command: "CONN" });
    let tried = 0;
    const transport = { deliver: () => Promise.reject(tried++ ? new Error("refused") : unknown), close() {} };
    expect(await mail.deliverDue(system(), transport)).toEqual({ sent: 0, failed: 5, isAway: true });
    const rows = await Promise.all(all.map(rowOf));
    expect(rows.map(({ attempts }) => attempts).toSorted()).toEqual([0, 0, 1, 1, 1, 1]);
    expect(rows.flatMap(({ lastError }) => lastError ?? []).toSorted()).toEqual([
      "EDNS CONN",
      ...Array(4).fill("Error"),
    ]);
  });

  it("that the server has taken is not sent again though the database was away at that moment", async () => {
    const to = await queue("password-changed", {});
    const transport = mail.smtp(smtp.url, FROM);
    let told: ReturnType<typeof mail.deliverDue>;
    await database.sql.begin(async (tx) => {
      const taken = new Promise<void>((resolve) => {
        const hold = {
          ...transport,
          async deliver(message: Parameters<typeof transport.deliver>[0]) {
            await transport.deliver(message);
            await tx`select from outbox for update`;
            resolve();
          },
        };
        told = mail.deliverDue(system(), hold);
      });
      await taken;
      await untilWaiting(database.sql, 1);
      await tx`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    });
    expect(await told!).toEqual({ sent: 1, failed: 0, isAway: false });
    transport.close();
    expect(await rowOf(to)).toMatchObject({ sentAt: expect.any(Date), nextAttemptAt: null });
    expect(smtp.to(to)).toHaveLength(1);
  });

  it.each([
    ["verify", 24],
    ["reset", 1],
    ["email-change-confirm", 24],
    ["invitation", 7 * 24],
  ] as const)(
    "with a link (%s) that no longer works is not sent: the server came back too late",
    async (template, hours) => {
      const before = new Date(Date.now() + hours * 60 * MINUTE_MS - MINUTE_MS);
      const after = new Date(before.getTime() + 2 * MINUTE_MS);
      const given = { token: "the-token", merchantId: uuidv7(), merchant: "Alder" };
      const [still, late] = [await queue(template, given), await queue(template, given)];
      await database.sql`update outbox set next_attempt_at = ${after} where recipient = ${late}`;
      expect(await deliver(before)).toMatchObject({ sent: 1 });
      expect(await deliver(after)).toMatchObject({ sent: 0, failed: 0 });
      expect([smtp.to(still).length, smtp.to(late).length]).toEqual([1, 0]);
      expect(await database.db.select().from(outbox).where(eq(outbox.recipient, late))).toEqual([]);
    },
  );

  it("waits when there is no server at all", async () => {
    const to = await queue("password-changed", {});
    const nowhere = mail.smtp("smtp://127.0.0.1:1", FROM);
    expect(await mail.deliverDue(system(), nowhere)).toEqual({ sent: 0, failed: 1, isAway: true });
    nowhere.close();
    const row = await rowOf(to);
    // It is asked again soon, and however long it is away, no mail is given up for it.
    expect(row).toMatchObject({ lastError: "ESOCKET CONN", attempts: 0, deadAt: null });
    expect(row.nextAttemptAt!.getTime() - Date.now()).toBeLessThanOrEqual(mail.AWAY_MS);
    await deliver(row.nextAttemptAt!);
    expect(smtp.to(to)).toHaveLength(1);
  });
});

describe("a worker that was taken for dead", () => {
  const other = (to: string, set: string) =>
    database.sql.unsafe(`update outbox set attempts = attempts + 1, ${set} where recipient = '${to}'`);
  const slow = (work: () => Promise<unknown>): mail.Transport => ({
    deliver: async () => void (await work()),
    close() {},
  });

  it("and fails then takes nothing back of what another has sent", async () => {
    const to = await queue("password-changed", {});
    const transport = slow(async () => {
      await other(to, "sent_at = now(), next_attempt_at = null, data = '{}'");
      throw new Error("late");
    });
    expect(await mail.deliverDue(system(), transport)).toEqual({ sent: 0, failed: 1, isAway: false });
    expect(await rowOf(to)).toMatchObject({ sentAt: expect.any(Date), nextAttemptAt: null, lastError: null });
  });

  it("and sends it after all has sent it, though another gave it up", async () => {
    const to = await queue("password-changed", {});
    const transport = slow(() => other(to, "dead_at = now(), next_attempt_at = null, data = '{}'"));
    expect(await mail.deliverDue(system(), transport)).toEqual({ sent: 1, failed: 0, isAway: false });
    expect(await rowOf(to)).toMatchObject({ sentAt: expect.any(Date), deadAt: null });
  });
});

describe("a worker that dies while sending", () => {
  it("leaves the mail to another, once its lease is over", async () => {
    const to = await queue("password-changed", {});
    const began = new Date();
    let holding = () => {};
    const held = new Promise<void>((resolve) => {
      holding = resolve;
    });
    void mail.deliverDue(system(began), { deliver: () => new Promise(holding), close() {} });
    await held;
    // No mail takes longer than a minute.
    expect(await deliver(new Date(began.getTime() + MINUTE_MS))).toMatchObject({ sent: 0, failed: 0 });
    expect(await deliver(new Date(began.getTime() + 5 * MINUTE_MS))).toMatchObject({ sent: 1, failed: 0 });
    expect(smtp.to(to)).toHaveLength(1);
  });
});

describe("what mails say", () => {
  const all = Object.keys(data) as Template[];

  it.each(all)("%s has a subject, the same words in both forms, and addresses of our own alone", (template) => {
    const { subject, text, html, links } = render(template, data[template] as never, "https://base.example");
    expect(subject).not.toBe("");
    expect(html).not.toMatch(/<img|<script|<link|url\(|src=/i);
    for (const url of `${text} ${html.replaceAll("&amp;", "&")}`.match(/https?:\/\/[^\s"<]+/g) ?? [])
      expect(links).toContain(url);
    for (const link of links) expect(link).toMatch(/^https:\/\/base\.example\//);
    const words = html
      .replace(/<head>.*<\/head>/s, "")
      .replace(/<[^>]*>/g, " ")
      .replace(/&#39;/g, "'");
    const said = text.split("\n").map((line) => line.replace(/^- /, "").trim());
    for (const line of said.filter((line) => line.length > 20 && !line.endsWith(":") && !links.includes(line))) {
      expect(words).toContain(line);
    }
  });

  it.each(all)("%s has the console's colours, light and dark", (template) => {
    const { html } = render(template, data[template] as never, "https://base.example");
    const known = Object.values(colours).flat().map(String);
    expect((html.match(/#[0-9a-f]{6}\b/g) ?? []).filter((colour) => !known.includes(colour))).toEqual([]);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
  });

  it("keeps the lines of a reason, in both forms", () => {
    const { html, text } = render(
      "production-declined",
      { ...data["production-declined"], reason: "One.\n\nTwo." },
      "https://base.example",
    );
    expect(text).toContain("One.\n\nTwo.");
    expect(html).toMatch(/<p style="[^"]*white-space:pre-line">Reason: One\.\n\nTwo\.<\/p>/);
  });

  it("names the key that is active again where the one that was found had taken its place, and what to do then", () => {
    const { text } = render("key-leaked", { ...data["key-leaked"], again: "aisle_efgh…stuv" }, "https://base.example");
    expect(text).toContain("The key before it (aisle_efgh…stuv) still works and is the active one again.");
    expect(text).toContain("Rotate that one, put the new one where your agent reads its secrets");
    expect(text).not.toContain("Issue another key");
  });

  it("say what holds for a platform without access, and for one that has no key yet", () => {
    for (const template of ["key-leaked", "key-revoked"] as const) {
      const given = { ...data[template], again: "aisle_efgh…stuv", state: "revoked" };
      const { text } = render(template, given, "https://base.example");
      expect(text, template).toContain("it stays refused, also if the platform gets its access back");
      expect(text, template).not.toMatch(/rotate that one|issue another|refused from now on|is the active one/i);
    }
    const left = (state: string) =>
      render("owner-left", { ...data["owner-left"], state }, "https://x.example").text.replace(/\s+/g, " ");
    expect(left("sandbox")).toContain("rotate the keys they may know");
    expect(left("revoked")).toContain("revoke the keys they may know before then");
    expect(left("revoked")).not.toContain("rotate");
    expect(left("under_review")).not.toMatch(/issues a key|rotate|revoke/);
    const { text } = render(
      "terms-published",
      { ...data["terms-published"], state: "under_review" },
      "https://x.example",
    );
    expect(text).toContain("Its first key waits until an owner accepts this version.");
    expect(text).not.toContain("keep working");
    const restored = render(
      "access-restored",
      { ...data["access-restored"], terms: "2027-01-01" },
      "https://x.example",
    );
    expect(restored.text).toContain("Version 2027-01-01 of the data-use terms is in force");
  });

  it("count what there is", () => {
    const said = <T extends Template>(template: T, given: Partial<TemplateData[T]>) =>
      render(template, { ...data[template], ...given }, "https://base.example");
    const left = [0, 1, 7].map(
      (left) => /\. ([^.]* (?:left|last one)\.)/.exec(said("recovery-code-used", { left }).text)![1],
    );
    expect(left).toEqual(["It was the last one.", "One is left.", "7 are left."]);
    const [one] = data["merchant-digest"].platforms;
    const subject = (...platforms: string[]) =>
      said("merchant-digest", { platforms: platforms.map((name) => ({ ...one!, name, slug: name })) }).subject;
    expect([subject("Finder"), subject("Finder", "Finder"), subject("Finder", "Seeker")]).toEqual([
      ...["Finder can read Ridgeline Supply", "Finder can read your 2 stores", "2 new readers of your stores"],
    ]);
    const many = Array(20).fill(one!);
    const wide = [1, 2].map((readers) => said("merchant-digest", { platforms: many, more: 5, readers }).subject);
    expect(wide).toEqual(["Finder can read your 25 stores", "2 new readers of your stores"]);
    const live = [0, 1].map((keys) => said("production-approved", { keys }).text);
    expect(live.map((text) => text.includes("issue one on the Keys page"))).toEqual([true, false]);
    expect(live[1]).toContain("Its keys keep working");
    const { keys } = data["keys-expiring"];
    const { subject: several, text } = said("keys-expiring", { keys: [...keys, { ...keys[0]!, name: "Next" }] });
    expect(several).toBe("2 keys of Finder expire, the first on 2026-12-01");
    expect(text).toContain("“Next” (aisle_abcd…wxyz) expires on 2026-12-01 at 00:00 UTC.");
    expect(text).toContain("calls with them are refused");
    expect(said("key-leaked", { where: "" }).text).not.toContain("It was found at");
  });

  it("escapes what people typed", () => {
    const hostile = {
      name: "<b>Ada</b>",
      consumerId: "x",
      productName: '"><script>alert(1)</script>',
      reason: "a & b",
    };
    const { html, text } = render("production-declined", hostile, "https://base.example");
    expect(html).not.toContain("<script>");
    expect(html).toContain("&lt;b&gt;Ada&lt;/b&gt;");
    expect(html).toContain("a &amp; b");
    expect(text).toContain("<b>Ada</b>");
  });
});

describe("without an SMTP server", () => {
  it("the last 50 mails are kept, for every instance to show, with their links", async () => {
    const other = contextFor(testCore(database), { kind: "system" });
    for (let i = 0; i < 51; i++) await queue("verify", { token: `local-${i}` });
    await mail.deliverDue(system(), mail.local(system()));
    const recent = await mail.recentLocal(other);
    expect(recent).toHaveLength(50);
    const to = await queue("reset", { token: "newest" });
    await mail.deliverDue(system(), mail.local(system()));
    const [newest] = await mail.recentLocal(other);
    expect(newest).toMatchObject({ to, subject: "Choose a new password for Aisle" });
    expect(newest!.links).toEqual(["https://aisle.example/reset?token=newest"]);
    expect(newest!.html).toContain("<!doctype html>");
    expect(await rowOf(to)).toMatchObject({ data: {} });
  });
});
