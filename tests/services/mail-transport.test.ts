// How mail leaves by SMTP: with whom we speak, in secret or not at all, and how long a server may keep us waiting.
import type { AddressInfo, Socket } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import * as mail from "../../server/services/mail";
import { testDatabase } from "../support/database";
import { selfSigned } from "../support/self-signed";
import { silentServer } from "../support/silent-server";

const database = testDatabase();
const FROM = "Aisle <no-reply@aisle.example>";
const USER = "post@aisle.example";
const PASSWORD = "p@ss/wörd:1";

/** A mail server with a certificate that nobody vouches for, which takes mail from who is logged in. */
async function strict(options: SMTPServerOptions) {
  const seen: { mails: ParsedMail[]; logIns: [name: unknown, password: unknown][] } = { mails: [], logIns: [] };
  const server = new SMTPServer({
    ...selfSigned,
    ...options,
    onAuth({ username, password }, _session, done) {
      seen.logIns.push([username, password]);
      done(password === PASSWORD ? null : new Error("no"), { user: username });
    },
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        seen.mails.push(mail);
        done();
      }, done);
    },
  });
  server.on("error", () => {}); // who does not trust it hangs up
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return { ...seen, port: (server.server.address() as AddressInfo).port };
}

const urlOf = (protocol: string, port: number, password = PASSWORD) =>
  `${protocol}://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@127.0.0.1:${port}`;

/** One mail in the outbox, and what becomes of it by a server. */
async function deliver(url: string) {
  await database.sql`delete from outbox`;
  const ctx = database.as({ kind: "system" });
  await ctx.db.transaction((tx) =>
    mail.send(ctx, tx, { to: "ada@example.com", template: "password-changed", data: {} }),
  );
  const transport = mail.smtp(url, FROM, "Help <help@aisle.example>");
  const told = await mail.deliverDue(database.as({ kind: "system" }), transport);
  transport.close();
  const [row] = await database.sql<{ attempts: number; lastError: string | null; isSent: boolean }[]>`
    select attempts, last_error as "lastError", sent_at is not null as "isSent" from outbox`;
  return { ...told, ...row! };
}

describe("mail by SMTP", () => {
  it.each([
    ["from the first byte", "smtps", { secure: true }],
    ["after STARTTLS", "smtp", {}],
  ])("goes out over TLS %s, with name and password of SMTP_URL, and is answered to support", async (_, by, options) => {
    const server = await strict(options);
    const told = await deliver(`${urlOf(by, server.port)}?tls.rejectUnauthorized=false`);
    expect(told).toMatchObject({ sent: 1, failed: 0, isSent: true });
    expect(server.logIns).toEqual([[USER, PASSWORD]]);
    expect(
      server.mails.map(({ from, replyTo, to }) => [from, replyTo, to].map((one) => one && [one].flat()[0]!.text)),
    ).toEqual([['"Aisle" <no-reply@aisle.example>', '"Help" <help@aisle.example>', "ada@example.com"]]);
  });

  it.each([
    ["from the first byte", "smtps", { secure: true }],
    ["after STARTTLS", "smtp", {}],
  ])(
    "does not go to a server whose certificate nobody trusts, nor does the password: TLS %s",
    async (_, by, options) => {
      const server = await strict(options);
      expect(await deliver(urlOf(by, server.port))).toMatchObject({ sent: 0, failed: 1, isSent: false });
      expect([server.logIns, server.mails]).toEqual([[], []]);
    },
  );

  it("waits where the password is wrong, and says by codes alone why", async () => {
    const server = await strict({ secure: true });
    const told = await deliver(`${urlOf("smtps", server.port, "wrong")}?tls.rejectUnauthorized=false`);
    expect(told).toMatchObject({ sent: 0, failed: 1, isAway: false, attempts: 1, isSent: false });
    expect(told.lastError).toMatch(/^EAUTH AUTH \S+ 535( 5\.\d\.\d)?$/);
  });
});

it.each([
  ["says nothing", () => {}],
  ["hangs up, as a proxy before one that is down", (socket: Socket) => void socket.end()],
])("a mail server that lets us in and %s is away, and the mail waits for it, uncounted", async (_, talk) => {
  const told = await deliver(`smtp://127.0.0.1:${await silentServer(talk)}`);
  expect(told).toMatchObject({ failed: 1, isAway: true, attempts: 0, lastError: expect.any(String) });
});
