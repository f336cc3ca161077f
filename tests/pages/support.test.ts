// The way to support: with SUPPORT_EMAIL pages link to it and answers to mails go there; without it nothing pretends to.
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { logins } from "../support/logins";
import { newEmail } from "../support/people";
import { testServer } from "../support/server";
import { testSmtp } from "../support/smtp";
import { mailingTo, visitors } from "../support/visitor";

const database = testDatabase();
const smtp = testSmtp();
const mailing = mailingTo(smtp);
const address = "help+agents@aisle.example";
const helped = testServer(database, {
  get SMTP_URL() {
    return mailing.SMTP_URL;
  },
  MAIL_FROM: mailing.MAIL_FROM,
  TRUST_PROXY: mailing.TRUST_PROXY,
  SUPPORT_EMAIL: address,
});
const unhelped = testServer(database);
const [withSupport, without] = [logins(database, helped), logins(database, unhelped)];

/** The mails that a page offers to write: to whom, and how they begin. */
const letters = (html: string) =>
  [...html.matchAll(/href="(mailto:[^"]+)"/g)].map(([, href]) => {
    const { pathname, searchParams } = new URL(href!.replaceAll("&amp;", "&"));
    return { to: decodeURIComponent(pathname), subject: searchParams.get("subject"), body: searchParams.get("body") };
  });

describe("with SUPPORT_EMAIL", () => {
  it("is linked from the start page, the documentation and the account's menu", async () => {
    const { owner } = await withSupport.makeTeam();
    for (const path of ["/", "/docs", "/console"]) {
      expect(letters((await owner.get(path)).html), path).toContainEqual({ to: address, subject: null, body: null });
    }
  });

  it("is told where faults in the security are to be reported, as RFC 9116 has it", async () => {
    const answer = await fetch(`${helped.url}/.well-known/security.txt`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = Object.fromEntries(
      (await answer.text())
        .trim()
        .split("\n")
        .map((line) => line.split(": ", 2)),
    );
    expect(fields).toMatchObject({
      Contact: `mailto:${address}`,
      Canonical: `${helped.url}/.well-known/security.txt`,
      "Preferred-Languages": "en",
    });
    const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
    expect((await fetch(`${unhelped.url}/.well-known/security.txt`)).status).toBe(404);
  });

  it("is written to about a teammate, naming the platform whatever it is called", async () => {
    const name = 'Fish & Chips "50 %" +1?';
    const { consumer, owner } = await withSupport.makeTeam({ name });
    const { html, words } = await owner.get("/console/members");
    expect(words).toContain("Ask for a teammate");
    const letter = letters(html).find(({ subject }) => subject);
    expect(letter).toMatchObject({ to: address, subject: `A teammate for ${name}` });
    expect(letter!.body!.split("\r\n")[0]).toBe(`Please add to ${name} (${consumer.slug}):`);
  });

  it("is written to about a decision that took access away, which only an operator can change", async () => {
    for (const revokedFrom of ["under_review", "production"] as const) {
      const { owner } = await withSupport.makeTeam({
        name: "Harbour",
        state: "revoked",
        revokedFrom,
        decidedAt: new Date(),
      });
      const { html, words } = await owner.get("/console");
      expect(words).toContain("Once the reason no longer holds, ask an operator to look again.");
      expect(letters(html)).toContainEqual({ to: address, subject: "Access again for Harbour", body: null });
    }
  });

  it("gets the answers to mails, which come from another address", async () => {
    const { visitor, signUp } = visitors(helped, smtp, database);
    const email = newEmail();
    await signUp(visitor(), email);
    const [mail] = await smtp.arrived(email);
    expect(mail!.replyTo!.value).toMatchObject([{ address }]);
    expect(mail!.from!.value).toMatchObject([{ address: "no-reply@aisle.example" }]);
  });
});

describe("without SUPPORT_EMAIL", () => {
  it("no page offers a mail, and its words stand all the same", async () => {
    const { owner } = await without.makeTeam({ maxKeys: 0 });
    for (const [path, words] of [
      ["/", "Data-use terms"],
      ["/docs", "quote it when you write to support"],
      ["/console/members", "Operators add and remove people"],
      ["/console/keys", "Ask the operator for more."],
    ] as const) {
      const page = await owner.get(path);
      expect(page.words, path).toContain(words);
      expect(letters(page.html), path).toEqual([]);
    }
  });
});
