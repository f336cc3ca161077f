// How a rendered mail leaves: by SMTP, or, where there is no SMTP server, into a table that /dev/mail shows.
import { createTransport } from "nodemailer";
import type { Core } from "../context";
import type { Rendered } from "./mail-layout";

export interface Message extends Rendered {
  /** The outbox row's. */
  id: string;
  /** The same at each attempt, so that a mail that arrives twice is known as one. */
  messageId: string;
  to: string;
}

export interface Transport {
  /** @throws whatever stood in the way; the mail is then tried again */
  deliver(message: Message): Promise<void>;
  close(): void;
}

const CONNECTIONS = 3;
/** No mail takes longer than a minute, so none outlives its lease. */
const SMTP_TIMEOUT_MS = 60_000;

/**
 * @param from an address, or `Name <address>`
 * @param replyTo where answers go, if not there
 */
export function smtp(url: string, from: string, replyTo?: string): Transport {
  const mailer = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async deliver({ messageId, to, subject, text, html, unsubscribe }) {
      await mailer.sendMail({
        from,
        replyTo,
        to: { name: "", address: to },
        messageId,
        subject,
        text,
        html,
        headers: { "Auto-Submitted": "auto-generated", ...(unsubscribe && oneClick(unsubscribe)) },
        signal: AbortSignal.timeout(SMTP_TIMEOUT_MS),
      });
    },
    close: () => mailer.close(),
  };
}

/** RFC 8058: a mail program may end these mails by itself, with a POST to the address. */
const oneClick = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

const KEPT = 50;

export interface LocalMail {
  id: string;
  at: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  links: string[];
}

/** A table, so that every instance shows what any of them "sent". */
export function local({ sql }: Core): Transport {
  return {
    async deliver({ id, to, subject, text, html, links }) {
      await sql`
        insert into local_mails (id, recipient, subject, text, html, links)
        values (${id}, ${to}, ${subject}, ${text}, ${html}, ${links}) on conflict do nothing`;
      await sql`delete from local_mails where id not in (select id from local_mails order by at desc, id desc limit ${KEPT})`;
    },
    close() {},
  };
}

/** The last 50 mails that were "sent" without an SMTP server, newest first. Their links work: for the machine's own user alone. */
export const recentLocal = ({ sql }: Pick<Core, "sql">): Promise<LocalMail[]> => sql<LocalMail[]>`
  select id, at, recipient as "to", subject, text, html, links from local_mails order by at desc, id desc limit ${KEPT}`;
