// Mail is a row in the outbox, written in the transaction of its cause: no cause without its mail, no mail without its cause.
// A job sends it afterwards. Leased while it is sent, so two workers never send one mail at the same time.
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, isNotNull, notInArray, sql as raw } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "../../db/client";
import { outbox } from "../../db/schema/operations";
import * as clock from "../clock";
import type { Core, Ctx } from "../context";
import { isClosed, isOutage } from "../errors";
import { linksWorkMs, render, type Template, type TemplateData, templateNames } from "./mail-templates";
import type { Transport } from "./mail-transport";
import { wake } from "./wake";

export { type LocalMail, local, recentLocal, smtp, type Transport } from "./mail-transport";

/**
 * Mail to be sent once `tx` commits.
 * @param tx the transaction of the mail's cause
 * @param mails one at least; PostgreSQL takes some 9,000 at once
 */
export async function send<T extends Template>(
  ctx: Ctx,
  tx: Pick<Database, "insert" | "execute">,
  ...mails: { to: string; template: T; data: TemplateData[T] }[]
): Promise<void> {
  await tx.insert(outbox).values(
    mails.map(({ to, template, data }) => {
      const id = uuidv7();
      return {
        id,
        messageId: `<${id}@${new URL(ctx.baseUrl).hostname}>`,
        recipient: to,
        template,
        data,
        createdAt: ctx.now,
        nextAttemptAt: ctx.now,
      };
    }),
  );
  await tx.execute(wake("mail"));
}

/**
 * Deletes the mails that wait for an address, about a platform or a merchant that its person no longer has to do with.
 * @param about as their data names it
 * @param which templates whose mails go, or all but those that stay
 * @returns those of the mails that went
 */
export async function withdraw(
  tx: Database,
  to: string,
  about: { consumerId: string } | { merchantId: string },
  which: { going: Template[] } | { staying: Template[] } = { staying: [] },
): Promise<Template[]> {
  const isGoing = "going" in which ? inArray(outbox.template, which.going) : notInArray(outbox.template, which.staying);
  const isAbout = raw`${outbox.data} @> ${JSON.stringify(about)}::jsonb`;
  const gone = await tx
    .delete(outbox)
    .where(and(eq(outbox.recipient, to), isNotNull(outbox.nextAttemptAt), isAbout, isGoing))
    .returning({ template: outbox.template });
  return gone.map(({ template }) => template as Template);
}

const BATCH = 5;
/** Longer than a mail may take. */
const LEASE_MS = 90_000;
const RETRY_MS = 500;
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 60_000;

/** How soon a mail server that is away is tried again. That does not count as an attempt of its mails. */
export const AWAY_MS = 2_000;

/** How long after the nth failure the next try is due: 1 minute, 3, 9… up to 12 hours, a quarter more or less. */
const waitAfter = (attempts: number) => FIRST_WAIT_MS * 3 ** (attempts - 1) * (0.75 + Math.random() / 2);

/** The last mails to an address that nobody here has any more: it is not kept once they are sent, or given up. */
const last: ReadonlySet<Template> = new Set(["account-deleted", "email-changed-notice"]);

interface DueRow {
  id: string;
  messageId: string;
  recipient: string;
  template: Template;
  data: TemplateData[Template];
  attempts: number;
}

/**
 * Sends what is due until nothing is. Safe on any number of instances at once. What is refused is tried again later, and
 * is dead after the eighth attempt; a process that dies while sending leaves its mails to whoever comes after the lease.
 * @param core or a context, whose clock then counts
 * @param signal stops after the mails under way
 * @returns `isAway`: the mail server could not be reached, so the rest is left for AWAY_MS later
 */
export async function deliverDue(
  core: Core & { now?: Date },
  transport: Transport,
  signal?: AbortSignal,
): Promise<{ sent: number; failed: number; isAway: boolean }> {
  const told = { sent: 0, failed: 0, isAway: false };
  await dropOverdue(core);
  while (!signal?.aborted && !told.isAway) {
    const due = await claim(core);
    if (due.length === 0) break;
    const outcomes = await Promise.all(due.map((row) => deliver(core, transport, row)));
    for (const outcome of outcomes) {
      told[outcome === "sent" ? "sent" : "failed"]++;
      told.isAway ||= outcome === "away";
    }
  }
  return told;
}

/** After a mail server was away for long. Where its link no longer works, a mail says what is not so. */
async function dropOverdue({ sql, log, now = clock.now() }: Core & { now?: Date }): Promise<void> {
  const limits = Object.values(linksWorkMs).map((ms) => new Date(now.getTime() - ms).toISOString());
  const { count } = await sql`
    delete from outbox o using unnest(${Object.keys(linksWorkMs)}::text[], ${limits}::timestamptz[]) late (template, until)
    where o.next_attempt_at <= ${now} and o.template = late.template and o.created_at <= late.until`;
  if (count > 0) log.warn({ mails: count }, "mails whose links no longer work were not sent");
}

/** What a later release has written waits for an instance of it. */
function claim(core: Core & { now?: Date }): Promise<DueRow[]> {
  const now = core.now ?? clock.now();
  return core.sql<DueRow[]>`
    with due as materialized (
      select id from outbox where next_attempt_at <= ${now} and template = any(${templateNames}::text[])
      order by next_attempt_at, id limit ${BATCH} for update skip locked)
    update outbox o set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + LEASE_MS)}
    from due where o.id = due.id
    returning o.id, o.message_id as "messageId", o.recipient, o.template, o.data, o.attempts`;
}

type Outcome = "sent" | "failed" | "away";

/**
 * Writes down what the mail server has taken, again and again while the database is away: once the lease is over, the mail would
 * be sent a second time.
 */
async function whileLeased(write: () => PromiseLike<unknown>): Promise<void> {
  const over = performance.now() + LEASE_MS;
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if (!isOutage(error) || isClosed(error) || performance.now() > over) throw error;
      await sleep(RETRY_MS);
    }
  }
}

async function deliver(core: Core & { now?: Date }, transport: Transport, row: DueRow): Promise<Outcome> {
  const { sql, log } = core;
  const now = () => core.now ?? clock.now();
  const { id, messageId, recipient: to, template, attempts } = row;
  // Once its lease has passed, the mail may be at its next attempt, by another worker: what failed here does not matter then.
  const mine = sql`id = ${id} and attempts = ${attempts}`;
  try {
    await transport.deliver({ id, messageId, to, ...render(template, row.data, core.baseUrl) });
  } catch (error) {
    const reason = describe(error);
    if (isAway(error)) {
      log.warn({ mail: id, template, reason }, "the mail server is away");
      // So that it is due by the time that the server is tried again.
      const next = new Date(now().getTime() + AWAY_MS / 2);
      await sql`update outbox set attempts = attempts - 1, last_error = ${reason}, next_attempt_at = ${next} where ${mine}`;
      return "away";
    }
    const dead = attempts >= MAX_ATTEMPTS;
    log[dead ? "error" : "warn"]({ mail: id, template, attempts, reason }, dead ? "mail given up" : "mail not sent");
    if (dead && last.has(template)) {
      await sql`delete from outbox where ${mine}`;
    } else if (dead) {
      await sql`update outbox set dead_at = ${now()}, last_error = ${reason}, next_attempt_at = null, data = '{}' where ${mine}`;
    } else {
      const next = new Date(now().getTime() + waitAfter(attempts));
      await sql`update outbox set last_error = ${reason}, next_attempt_at = ${next} where ${mine}`;
    }
    return "failed";
  }
  await whileLeased(() =>
    last.has(template)
      ? sql`delete from outbox where id = ${id}`
      : sql`update outbox set sent_at = ${now()}, dead_at = null, last_error = null, next_attempt_at = null, data = '{}' where id = ${id}`,
  );
  log.info({ mail: id, template, attempts }, "mail sent");
  return "sent";
}

/**
 * Did the server not answer, or refuse the connection or say that it is going (421), before it heard whom this mail is to?
 * Afterwards a 421 may be about the recipient; where commands are pipelined, nodemailer names none for it then.
 */
function isAway(error: unknown): boolean {
  const { code, command, responseCode, syscall, timeoutType } = error as Record<string, unknown>;
  const isUnreached = syscall === "connect" || code === "EDNS";
  const isSilent = timeoutType === "CONNECT_TIMEOUT" || timeoutType === "GREETING_TIMEOUT";
  const isGoing = responseCode === 421 && /^(EHLO|HELO|AUTH|MAIL FROM)/.test(String(command));
  // It hung up, again and again, before a word was said: a proxy does, before a server that is not there.
  const isHungUp = code === "ECONNECTION" && command === undefined;
  return isUnreached || isSilent || isGoing || isHungUp || (code === "EPROTOCOL" && command === "CONN");
}

/** Codes alone: what a mail server says in words may name the recipient. */
function describe(error: unknown): string {
  const { code, command, responseCode, response, name } = error as Record<string, unknown>;
  const enhanced = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(String(response ?? ""))?.[0];
  return [code ?? name, command, responseCode, enhanced].filter(Boolean).join(" ") || "unknown";
}
