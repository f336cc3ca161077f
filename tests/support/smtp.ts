// A real SMTP server on a free port of 127.0.0.1, which keeps what it was given, parsed.
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll } from "vitest";

export interface SmtpServer {
  url: string;
  /** Everything that was accepted, in the order in which it came. */
  mails: ParsedMail[];
  /** The words, beginning with a code, by which every recipient is refused; undefined accepts them. */
  refuse: string | undefined;
  /** What came for an address. */
  to: (address: string) => ParsedMail[];
  /** Resolves once the address has so many mails. */
  arrived: (address: string, count?: number) => Promise<ParsedMail[]>;
}

/** An SMTP server for the tests of a file. */
export function testSmtp(): SmtpServer {
  const waiting = new Set<() => void>();
  const smtp: SmtpServer = {
    url: "",
    mails: [],
    refuse: undefined,
    to: (address) => smtp.mails.filter((mail) => recipients(mail).includes(address)),
    arrived: (address, count = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (smtp.to(address).length < count) return;
          waiting.delete(look);
          resolve(smtp.to(address));
        };
        waiting.add(look);
        look();
      }),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _session, done) {
      if (smtp.refuse === undefined) return done();
      done(
        Object.assign(new Error(`${smtp.refuse.slice(4)} <${address}>`), {
          responseCode: Number(smtp.refuse.slice(0, 3)),
        }),
      );
    },
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        smtp.mails.push(mail);
        done();
        for (const look of waiting) look();
      }, done);
    },
  });
  server.on("error", () => {}); // a client that hangs up is its own affair
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  return smtp;
}

function recipients({ to }: ParsedMail): string[] {
  return [to ?? []].flat().flatMap((list) => list.value.map(({ address }) => address ?? ""));
}
