// A real SMTP server on a free port of 127.0.0.1, which keeps what it was given, parsed.
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll } from "vitest";

export interface SmtpServer {
  url: string;
  /** Everything that was accepted, in the order in which it came. */
  mails: ParsedMail[];
  /** The words, beginning with a code, by which every recipient is refused; undefined accepts them. */
  refuse: string | undefined;
  /** The words by which every connection is refused; undefined lets them in. */
  refuseAll: string | undefined;
  /** The words by which every sender is refused, before the recipient is named; undefined accepts them. */
  refuseSender: string | undefined;
  /** How long it thinks about each recipient. */
  thinksMs: number;
  /** What it waits for before it says anything of a recipient; undefined: nothing. */
  until: Promise<unknown> | undefined;
  /** Nobody listens any more, and open connections break off. */
  down: () => Promise<void>;
  up: () => Promise<void>;
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
    refuseAll: undefined,
    refuseSender: undefined,
    thinksMs: 0,
    until: undefined,
    async down() {
      const closed = once(server.server, "close");
      server.server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async up() {
      const listening = once(server.server, "listening");
      server.server.listen(Number(new URL(smtp.url).port), "127.0.0.1");
      await listening;
    },
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
    onConnect: (_session, done) => done(smtp.refuseAll === undefined ? null : refusal(smtp.refuseAll)),
    onMailFrom: (_address, _session, done) => done(smtp.refuseSender === undefined ? null : refusal(smtp.refuseSender)),
    onRcptTo({ address }, _session, done) {
      const refused = smtp.refuse === undefined ? null : refusal(`${smtp.refuse} <${address}>`);
      setTimeout(async () => {
        await smtp.until;
        done(refused);
      }, smtp.thinksMs);
    },
    onData(stream, _session, done) {
      simpleParser(stream).then((mail) => {
        smtp.mails.push(mail);
        done();
        for (const look of waiting) look();
      }, done);
    },
  });
  const sockets = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("error", () => {}); // a client that hangs up is its own affair
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    smtp.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
  return smtp;
}

const refusal = (words: string) =>
  Object.assign(new Error(words.slice(4)), { responseCode: Number(words.slice(0, 3)) });

function recipients({ to }: ParsedMail): string[] {
  return [to ?? []].flat().flatMap((list) => list.value.map(({ address }) => address ?? ""));
}
