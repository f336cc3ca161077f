// An installation for others before anything was loaded or set up: no demo store, no mail server.
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { consumers } from "../../db/schema/consumers";
import { merchants } from "../../db/schema/merchants";
import { tools } from "../../server/tools";
import { callTool, issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { signIn } from "../support/roles";
import { startServer, testServer } from "../support/server";
import { newVisitor, visitorAs } from "../support/visitor";

const database = testDatabase();
const server = testServer(database);
const { logIn, makeTeam } = logins(database, server);

const makeOperator = async () => logIn(await makeAccount(database, { isOperator: true }));
/** That a store is there, or is the one that something is about. */
const CLAIM = /(on|opens|reads?|call|with|and) the demo store/i;

it("what there is none of has one button to make the first, in its empty list; once there is one the page has it", async () => {
  const operator = await makeOperator();
  const { owner, consumer } = await makeTeam();
  const id = crypto.randomUUID();
  const lists = [
    [operator, "/admin/merchants", "New merchant", () => database.db.insert(merchants).values({ id, name: "Alder" })],
    [operator, `/admin/merchants/${id}`, "New store", () => makeStore(database, { merchant: { id } })],
    [owner, "/console/keys", "Issue a key", () => issueKey(database, consumer.id)],
  ] as const;
  for (const [who, path, label, make] of lists) {
    const buttons = async () => (await who.get(path)).words.split(label).length - 1;
    expect(await buttons(), `${path}, empty`).toBe(1);
    await make();
    expect(await buttons(), path).toBe(1);
  }
  await database.sql`delete from stores where merchant_id = ${id}`;
  await database.sql`delete from merchants where id = ${id}`;
});

describe("without a demo store", () => {
  it("no page says that tools read it, in any state of a platform", async () => {
    for (const state of consumers.state.enumValues) {
      const { owner } = await makeTeam({ state, ...(state === "revoked" && { revokedFrom: "production" as const }) });
      for (const path of ["/console", "/console/coverage", "/console/docs/get_store_info"])
        expect((await owner.get(path)).words, `${path} of ${state}`).not.toMatch(CLAIM);
    }
    const person = await logIn(await makeAccount(database));
    const applying = await person.get("/apply");
    expect(applying.words).toContain("Apply for access");
    expect(applying.words).not.toMatch(CLAIM);
    const stranger = newVisitor(server.url);
    for (const path of ["/", ...tools.map(({ name }) => `/docs/${name}`)])
      expect((await stranger.get(path)).words, path).not.toMatch(CLAIM);
    expect((await stranger.get("/docs/get_store_info")).words).toContain("There is no demo store here yet");
  });

  it("a call that reads nothing is no first call on it: production is offered once there is one", async () => {
    const { consumer, owner } = await makeTeam();
    const key = await issueKey(database, consumer.id);
    expect((await callTool(server.url, key.value, "list_stores", {})).status).toBe(200);
    const waiting = (await owner.get("/console")).words;
    expect(waiting).toContain("There is no demo store yet to call a tool on. An operator loads it.");
    expect(waiting).toContain("3 of 5 steps done");
    expect(waiting).not.toContain("it cannot be changed during the review.");
    expect((await owner.post("/console?index", { intent: "request-production" })).status).toBe(409);

    const { id } = await makeStore(database, { is_demo: true });
    await callTool(server.url, key.value, "get_store_info", { store_id: id });
    const ready = (await owner.get("/console")).words;
    expect(ready).toContain("Keys work on the demo store.");
    expect(ready).toContain("it cannot be changed during the review.");
    await database.sql`delete from stores where id = ${id}`;
  });

  it("the directory pack says that its prompts are about no store of this installation", async () => {
    const { owner, consumer } = await makeTeam({ state: "production", directorySlug: "bare" });
    const response = await fetch(`${server.url}/console/directory-pack?consumerId=${consumer.id}`, {
      headers: { cookie: await signIn(database, consumer.owner) },
    });
    const readme = strFromU8(unzipSync(new Uint8Array(await response.arrayBuffer()))["README.md"]!);
    expect(readme).not.toContain("always readable");
    expect(readme).toContain("which is not loaded here");
    expect((await owner.get("/console")).status).toBe(200);
  });
});

describe("what an installation lacks", () => {
  it("operators read on their desk, each until it is there; nobody else may ask", async () => {
    const operator = await makeOperator();
    const noStore = "There is no demo store";
    const noMail = "Mail is not sent: SMTP_URL is not set";
    const bare = (await operator.get("/admin")).words;
    expect(bare).toMatch(new RegExp(`${noStore}.*npm run aisle -- seed`));
    expect(bare).toContain(noMail);
    expect(bare).toContain("docs/operations.md");
    expect(bare).toContain("No mail waits yet.");

    const { id } = await makeStore(database, { is_demo: true });
    await database.sql`
      insert into outbox (id, message_id, recipient, template, data, next_attempt_at, created_at)
      values (gen_random_uuid(), '<a@b>', 'a@b.example', 'verify-email', '{}', now() - interval '3 hours', now() - interval '3 hours')`;
    const loaded = (await operator.get("/admin")).words;
    expect(loaded).not.toContain(noStore);
    expect(loaded).toMatch(/1 mail waits, the oldest since 3 hours ago/);

    const { owner } = await makeConsumer(database);
    const reply = await fetch(`${server.url}/api/trpc/review.lacks`, {
      headers: { cookie: await signIn(database, owner) },
    });
    expect(reply.status).toBe(403);
    await database.sql`delete from outbox`;
    await database.sql`delete from stores where id = ${id}`;
  });

  it("mail that is late is told where there is a mail server, and not before", async () => {
    const account = await makeAccount(database, { isOperator: true });
    const mailing = await startServer(database.url, {
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "no-reply@aisle.example",
    });
    try {
      const operator = visitorAs(mailing.url, await signIn(database, account));
      const waits = (age: string) => database.sql`
        insert into outbox (id, message_id, recipient, template, data, next_attempt_at, created_at)
        values (gen_random_uuid(), ${age}, 'a@b.example', 'of-a-later-release', '{}', now() - ${age}::interval, now() - ${age}::interval)`;
      await waits("10 minutes");
      expect((await operator.get("/admin")).words).not.toContain("Mail is");
      await waits("2 hours");
      expect((await operator.get("/admin")).words).toMatch(/Mail is late.*2 mails wait, the oldest since 2 hours ago/);
    } finally {
      await mailing.stop();
      await database.sql`delete from outbox`;
    }
  });
});
