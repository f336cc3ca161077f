// What strangers write stays text in mails too: each template is filled with markup, addresses that run and headers, sent
// to a real SMTP server, and read as a mail program would.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as mail from "../../server/services/mail";
import type { Template, TemplateData } from "../../server/services/mail-templates";
import { testDatabase } from "../support/database";
import { hostile, readHtml } from "../support/inert";
import { testSmtp } from "../support/smtp";

const database = testDatabase();
const smtp = testSmtp();

/** Line breaks of every kind, for a header of its own; then what a page would choke on. */
const words = (name: string) => `${name}\r\nBcc: evil@example.net\n\rX-Alive: 1\u2028${hostile(name)}`;
const [name, productName, reason, merchant, store] = ["name", "product", "reason", "merchant", "store"].map(words) as [
  string,
  string,
  string,
  string,
  string,
];
// Tokens are ours: 256 random bits in base64url.
const token = "x".repeat(43);
const slug = words("slug");
const [consumerId, merchantId, storeId] = [randomUUID(), randomUUID(), randomUUID()];
const application = { name, consumerId, productName };

/** A template without data here does not compile. */
const everything: { [T in Template]: TemplateData[T] } = {
  verify: { token },
  "address-taken": {},
  reset: { token },
  "password-changed": {},
  "second-factor-on": {},
  "second-factor-off": {},
  "recovery-codes-renewed": {},
  "recovery-code-used": { left: 7 },
  "wrong-codes": {},
  "email-change-confirm": { token },
  "email-change-asked": { at: new Date().toISOString() },
  "email-changed-notice": {},
  "application-received": application,
  "application-approved": application,
  "application-declined": { ...application, reason },
  "application-restored": application,
  "production-approved": application,
  "production-declined": { ...application, reason },
  "production-ended": application,
  "access-revoked": { ...application, reason },
  "access-restored": application,
  "member-added": { ...application, role: words("role") },
  "member-role-changed": { ...application, role: words("role") },
  "member-renewed": { ...application, until: new Date().toISOString() },
  "member-removed": application,
  "terms-published": { ...application, version: "2027-01-01" },
  "owner-left": application,
  "account-deleted": {},
  "merchant-digest": {
    merchantId,
    merchant,
    platforms: [{ name, slug, store, storeSlug: slug }],
    more: 0,
    unsubscribeToken: token,
  },
  invitation: { token, merchantId, merchant },
  "merchant-joined": { merchantId, merchant },
  "merchant-removed": { merchantId, merchant },
  "key-leaked": {
    consumerId,
    productName,
    name,
    shown: words("shown"),
    where: `https://evil.example/${words("where")}`,
    again: words("again"),
  },
  "key-issued": { consumerId, productName, name, shown: words("shown") },
  "key-revoked": { consumerId, productName, name, shown: words("shown"), again: words("again") },
  "keys-expiring": {
    consumerId,
    productName,
    keys: ["one", "two"].map((key) => ({ name: words(key), shown: words("shown"), at: new Date().toISOString() })),
  },
  "feed-source-off": { merchantId, storeId, store, reason },
};

describe("what strangers write, in a mail", () => {
  it.each(Object.keys(everything) as Template[])(
    "%s: is text, makes no header, no recipient and no link",
    async (template) => {
      const ctx = database.as({ kind: "system" });
      const to = `${randomUUID()}@example.com`;
      await ctx.db.transaction((tx) => mail.send(ctx, tx, { to, template, data: everything[template] }));
      const transport = mail.smtp(smtp.url, "Aisle <no-reply@aisle.example>");
      expect(await mail.deliverDue(ctx, transport)).toMatchObject({ sent: 1, failed: 0 });
      transport.close();
      const [message, ...more] = smtp.to(to);
      expect(more).toEqual([]);
      expect([message!.to].flat().flatMap((list) => list!.value.map(({ address }) => address))).toEqual([to]);
      expect([message!.cc, message!.bcc]).toEqual([undefined, undefined]);
      expect([...message!.headers.keys()].filter((header) => /alive|bcc/i.test(header))).toEqual([]);
      expect(message!.subject).not.toMatch(/[\r\n]/);
      expect(message!.attachments).toEqual([]);
      const { faults, links, scripts } = readHtml(message!.html as string, "https://aisle.example", null);
      expect([faults, scripts]).toEqual([[], 0]);
      // Every link leads to us, whatever stands in it.
      for (const link of links) expect(new URL(link).origin).toBe("https://aisle.example");
      const unsubscribe = message!.headers.get("list") as { unsubscribe?: { url: string } } | undefined;
      if (unsubscribe?.unsubscribe) expect(new URL(unsubscribe.unsubscribe.url).origin).toBe("https://aisle.example");
    },
  );
});
