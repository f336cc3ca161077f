// The mail server is away, slow or refuses; the worker that sends is killed: pages go on, no mail is lost, none comes twice.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import { smtp as smtpTransport } from "../../server/services/mail-transport";
import { testDatabase } from "../support/database";
import { rounds, TIMEOUT_MS } from "../support/faulty";
import { makeShop } from "../support/feeds/jobs";
import { tsv } from "../support/feeds/load";
import { newEmail } from "../support/people";
import { startServer, type TestServer } from "../support/server";
import { silentServer } from "../support/silent-server";
import { testSmtp } from "../support/smtp";
import { mailingTo, visitors } from "../support/visitor";

const RECOVERY_MS = 5_000;
const database = testDatabase();
const smtp = testSmtp();
const server = {} as TestServer;
const start = async () => void Object.assign(server, await startServer(database.url, { ...mailingTo(smtp) }));
const { visitor, signUp } = visitors(server, smtp, database);

beforeAll(start);
afterAll(() => server.stop?.());
afterEach(() => {
  Object.assign(smtp, { refuse: undefined, refuseAll: undefined, thinksMs: 0, until: undefined });
});

/** Three people who sign up: each page comes, whatever happens to the mail. */
async function signUps(): Promise<string[]> {
  const emails = [newEmail(), newEmail(), newEmail()];
  for (const email of emails) {
    const page = await signUp(visitor(), email);
    expect([page.status, page.words]).toEqual([200, expect.stringContaining("Check your email")]);
  }
  return emails;
}

const rowsOf = (emails: string[]) =>
  database.sql<{ recipient: string; messageId: string; isSent: boolean; isDead: boolean }[]>`
    select recipient, message_id as "messageId", sent_at is not null as "isSent", dead_at is not null as "isDead"
    from outbox where recipient in ${database.sql(emails)}`;

/** Some of them are on their way. */
const areBegun = (emails: string[]) =>
  expect
    .poll(async () => {
      const begun = await database.sql`select from outbox where attempts > 0 and recipient in ${database.sql(emails)}`;
      return begun.length;
    })
    .toBeGreaterThan(0);

async function areKept(emails: string[]): Promise<void> {
  const rows = await rowsOf(emails);
  expect(rows.map(({ isSent, isDead }) => [isSent, isDead])).toEqual(emails.map(() => [false, false]));
}

/** Each mail came, and once, under the Message-ID that it had from the beginning. Gives when the last one was there. */
async function comeOnce(emails: string[]): Promise<number> {
  for (const email of emails) await smtp.arrived(email);
  const at = performance.now();
  await expect.poll(async () => (await rowsOf(emails)).every(({ isSent }) => isSent)).toBe(true);
  await sleep(500);
  const rows = await rowsOf(emails);
  for (const { recipient, messageId } of rows) {
    expect(smtp.to(recipient).map((mail) => mail.messageId)).toEqual([messageId]);
  }
  return at;
}

/** As if the time had come: what waits or is leased is due. */
const makeDue = (emails: string[]) => database.sql`
  with due as (update outbox set next_attempt_at = now() - interval '1 second' where recipient in ${database.sql(emails)} and sent_at is null)
  select pg_notify('jobs', 'mail')`;

describe("a mail server", () => {
  it.each(rounds)(
    "that is down keeps no page waiting; within 5 s of its return each mail is sent, once (round %i)",
    async () => {
      onTestFailed(() => void process.stdout.write(server.output()));
      await smtp.down();
      const emails = await signUps();
      await sleep(1_500);
      await areKept(emails);
      await smtp.up();
      const from = performance.now();
      expect((await comeOnce(emails)) - from).toBeLessThan(RECOVERY_MS);
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "that turns everybody away is asked again within 5 s (round %i)",
    async () => {
      // Connections that are open would not notice.
      await smtp.down();
      smtp.refuseAll = "421 4.3.2 Too busy";
      await smtp.up();
      const emails = await signUps();
      await sleep(1_500);
      await areKept(emails);
      smtp.refuseAll = undefined;
      const from = performance.now();
      expect((await comeOnce(emails)) - from).toBeLessThan(RECOVERY_MS);
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "that refuses the recipients gets each mail again, as it was, when it is due (round %i)",
    async () => {
      smtp.refuse = "451 4.3.0 Try later";
      const emails = await signUps();
      await sleep(1_000);
      await areKept(emails);
      smtp.refuse = undefined;
      await makeDue(emails);
      await comeOnce(emails);
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "that is slow keeps no page waiting, and gets each mail once (round %i)",
    async () => {
      let goOn = () => {};
      smtp.until = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const emails = await signUps();
      await areBegun(emails);
      await areKept(emails);
      goOn();
      await comeOnce(emails);
    },
    TIMEOUT_MS,
  );
});

/** A mail server that greets, and then says nothing, or never comes to an end. */
const endless = (how: "silent" | "slow") =>
  silentServer(
    (socket) => {
      socket.write("220 here\r\n");
      if (how === "silent") return;
      const timer = setInterval(() => socket.write("250-more\r\n"), 1_000);
      socket.once("close", () => clearInterval(timer));
    },
    (end) => void ends.push(end),
  );
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});
/** They take a minute, so they begin with the file. */
let told: Promise<PromiseSettledResult<void>[]>;
beforeAll(async () => {
  const message = { id: "1", messageId: "<1@b.example>", to: "c@d.example", subject: "x", text: "x", html: "x" };
  const ports = [await endless("silent"), await endless("slow")];
  told = Promise.allSettled(
    ports.map(async (port) => {
      const transport = smtpTransport(`smtp://127.0.0.1:${port}`, "a@b.example");
      await transport.deliver({ ...message, links: [] }).finally(() => transport.close());
    }),
  );
});

describe("a worker that is killed -9", () => {
  async function killAndRestart(): Promise<void> {
    await server.stop("SIGKILL");
    await start();
  }

  it.each(rounds)(
    "while it sends leaves its mails to another, which sends each once (round %i)",
    async () => {
      smtp.thinksMs = 60_000;
      const emails = await signUps();
      await areBegun(emails);
      await killAndRestart();
      smtp.thinksMs = 0;
      // The lease, which would pass in a minute and a half.
      await makeDue(emails);
      await comeOnce(emails);
    },
    TIMEOUT_MS,
  );

  it.each(rounds)(
    "in the middle of a catalogue leaves it to another, which loads it whole and once (round %i)",
    async () => {
      const shop = await makeShop(database);
      const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: String(i), title: `Tent ${i}` }));
      const loadId = await shop.upload(tsv(rows));
      const state = async () =>
        (await database.sql`select outcome, attempts, loaded from feed_loads where id = ${loadId}`)[0]!;
      await expect.poll(async () => (await state()).outcome, { interval: 5 }).toBe("loading");
      await killAndRestart();
      expect(await state()).toMatchObject({ outcome: "loading", attempts: 1 });
      // The lease, which would pass in a minute.
      await database.sql`with due as (update feed_loads set lease_until = now() - interval '1 second' where id = ${loadId}) select pg_notify('jobs', 'feed-loads')`;
      await expect.poll(state, { timeout: 120_000 }).toEqual({ outcome: "loaded", attempts: 2, loaded: 20_000 });
      const [found] = await database.sql`
        select (select count(*)::int from audit where target_id = ${shop.storeId} and action = 'feed.load') as records,
          (select count(*)::int from variants where store_id = ${shop.storeId}) as variants`;
      expect(found).toEqual({ records: 1, variants: 20_000 });
    },
    200_000,
  );
});

// The lease's end is when another worker would begin.
it("a mail server that goes silent, or answers line by line without end, is given up within the lease of its mail", async () => {
  expect((await told).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
}, 90_000);
