// What operators decide: each decision once, with its mail, its audit and the notifications of going live.
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { consumers, members } from "../../db/schema/consumers";
import type { Operator, Owner } from "../../server/context";
import * as addresses from "../../server/services/accounts";
import * as applications from "../../server/services/applications";
import * as platforms from "../../server/services/consumers";
import * as keys from "../../server/services/keys";
import * as leaks from "../../server/services/leaks";
import * as overview from "../../server/services/overview";
import * as review from "../../server/services/review";
import { callTool, issueKey, rpc } from "../support/clients";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { newAddress, newEmail, outcomeOf, PASSWORD, people } from "../support/people";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const server = testServer(database);
const { anonymous, linkTo, mailsTo, makePerson } = people(database);
let demo: Awaited<ReturnType<typeof makeStore>>;
beforeAll(async () => {
  demo = await makeStore(database, { is_demo: true });
});

async function makeOperator() {
  const account = await makeAccount(database, { isOperator: true });
  const ctx = (now?: Date) => database.as<Operator>({ kind: "operator", accountId: account.id }, now);
  return { account, ctx };
}
const ownerOf = ({ id, owner }: { id: string; owner: { id: string } }) =>
  database.as<Owner>({ kind: "member", accountId: owner.id, consumerId: id, role: "owner" });
const rowOf = async (id: string) => (await database.db.select().from(consumers).where(eq(consumers.id, id)))[0]!;
const shown = ({ slug, version }: { slug: string; version: number }) => ({ slug, version });
const access = {
  coverage: "default_on" as const,
  scopes: ["catalog:read", "inventory:read"] as ("catalog:read" | "inventory:read")[],
  rateLimit: 600,
  maxKeys: 5,
  directorySlug: null,
};
const told = (id: string) => database.sql<{ store_id: string; created_at: Date }[]>`
  select store_id, created_at from notifications where consumer_id = ${id} order by store_id`;
const actsOf = (id: string) =>
  database.sql`select action, actor_kind, actor_id, before, after from audit where target_id = ${id} order by at, id`;

/** Changes the state as the world did before this test. */
const requested = () => makeConsumer(database, { state: "production_requested" });

describe("what an operator changes of a platform", () => {
  it("leaves a request for production as it is where the tier stays", async () => {
    const { ctx } = await makeOperator();
    const asked = { state: "production_requested", decisionReason: "Not yet." } as const;
    const { id, slug, stateSince } = await makeConsumer(database, asked);
    const set = { tier: "sandbox", rateLimit: 7 } as const;
    expect(await platforms.change(ctx(), { slug, set })).toMatchObject({ state: "production_requested", rateLimit: 7 });
    expect(await rowOf(id)).toMatchObject({ decidedAt: null, decisionReason: "Not yet.", stateSince });
    const now = new Date();
    const decided = { state: "production", decidedAt: now, decisionReason: null };
    expect(await platforms.change(ctx(now), { slug, set: { tier: "production" } })).toMatchObject(decided);
  });

  it("is where it stands since the decision that brought it there", async () => {
    const { ctx } = await makeOperator();
    const { id, slug } = await makeConsumer(database, { state: "production_requested", stateSince: new Date(0) });
    const now = new Date();
    await review.approveProduction(ctx(now), { ...shown(await rowOf(id)), ...access, utmSource: slug });
    expect((await rowOf(id)).stateSince).toEqual(now);
    await platforms.change(ctx(new Date(now.getTime() + 1000)), { slug, set: { rateLimit: 7 } });
    expect((await rowOf(id)).stateSince).toEqual(now);
  });

  it("leaves its utm_source as it was assigned, unless that is what changes", async () => {
    const { ctx } = await makeOperator();
    const { slug } = await makeConsumer(database, { state: "production" });
    const utmSource = `partner-${slug}`;
    expect(await platforms.change(ctx(), { slug, set: { utmSource } })).toMatchObject({ utmSource });
    for (const set of [{ rateLimit: 7 }, { tier: "sandbox" }, { tier: "production" }] as const)
      expect(await platforms.change(ctx(), { slug, set })).toMatchObject({ ...set, utmSource });
  });

  it("gives no access back by way of the tier", async () => {
    const { ctx } = await makeOperator();
    const { id, slug } = await makeConsumer(database, { state: "revoked", revokedFrom: "sandbox" });
    for (const tier of ["sandbox", "production"] as const)
      await expect(platforms.change(ctx(), { slug, set: { tier } })).rejects.toMatchObject({ code: "conflict" });
    await platforms.change(ctx(), { slug, set: { rateLimit: 7 } });
    expect(await rowOf(id)).toMatchObject({ state: "revoked", revokedFrom: "sandbox", rateLimit: 7 });
  });

  it("set as it is stays as it is: nothing is recorded, and a colleague's open decision holds", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production" });
    const { coverage, rateLimit, maxKeys, utmSource, scopes } = consumer;
    const set = { coverage, rateLimit, maxKeys, utmSource, scopes: scopes.toReversed() };
    for (const same of [set, { utmSource: null, tier: "production" } as const, {}])
      expect(await platforms.change(ctx(), { ...shown(consumer), set: same })).toEqual(await rowOf(consumer.id));
    expect(await rowOf(consumer.id)).toMatchObject({ version: consumer.version, utmSource });
    expect(await actsOf(consumer.id)).toEqual([]);
    await review.reject(ctx(), { ...shown(consumer), reason: "Prices were changed." });
    expect((await rowOf(consumer.id)).state).toBe("revoked");
  });

  it("keeps scopes once each, in their own order", async () => {
    const { ctx } = await makeOperator();
    const { slug } = await makeConsumer(database);
    const scopes = ["offers:read", "catalog:read", "offers:read"] as ("offers:read" | "catalog:read")[];
    expect((await platforms.change(ctx(), { slug, set: { scopes } })).scopes).toEqual(["catalog:read", "offers:read"]);
  });
});

describe("the queue", () => {
  it("has who waits for either decision, the longest first, and how the domain rule judges them", async () => {
    const { ctx } = await makeOperator();
    await makeConsumer(database);
    const [late, early] = [await requested(), await makeConsumer(database, { state: "under_review" })];
    const since = (iso: string, id: string) =>
      database.db
        .update(consumers)
        .set({ stateSince: new Date(iso) })
        .where(eq(consumers.id, id));
    await since("2020-01-02T00:00:00Z", late.id);
    await since("2020-01-01T00:00:00Z", early.id);
    const email = `ada@mail.${early.slug}.example`;
    await database.db.update(accounts).set({ email }).where(eq(accounts.id, early.owner.id));
    const { waiting, previous, next } = await review.queue(ctx(), {});
    expect(waiting.slice(0, 2)).toMatchObject([
      {
        slug: early.slug,
        state: "under_review",
        domain: { verdict: "match", websiteDomain: `${early.slug}.example` },
      },
      { slug: late.slug, state: "production_requested" },
    ]);
    expect([previous, next]).toEqual([undefined, undefined]);
  });

  it("keeps a platform whose applicant has gone, for its other owners", async () => {
    const { ctx } = await makeOperator();
    const { id, slug } = await requested();
    await database.sql`update consumers set state_since = '2019-01-01' where id = ${id}`;
    await database.sql`update applications set account_id = null where consumer_id = ${id}`;
    expect((await review.queue(ctx(), {})).waiting[0]).toMatchObject({ slug, domain: null });
    await review.decline(ctx(), { ...shown(await rowOf(id)), reason: "Not yet." });
  });

  it("counts from the request for production, not from the application", async () => {
    const { ctx } = await makeOperator();
    const { key, consumer } = await sandboxed();
    await callTool(server.url, key, "list_stores", {});
    const at = new Date(Date.now() + 3_600_000);
    const owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
    await untilRecorded(database);
    await overview.requestProduction(database.as(owner, at));
    expect((await rowOf(consumer.id)).stateSince).toEqual(at);
    const usage = await platforms.usage(ctx(), { consumerId: consumer.id });
    expect(usage.tools).toMatchObject([{ tool: "list_stores", day: { calls: 1, errors: 0 }, month: { calls: 1 } }]);
  });
});

describe("a queue of more than a page", () => {
  const long = testDatabase();

  it("is walked a page at a time, forth and back, nobody twice and nobody left out", async () => {
    const ctx = () => long.as<Operator>({ kind: "operator", accountId: null });
    for (let i = 0; i < 55; i++) await makeConsumer(long, { state: "production_requested" });
    const first = await review.queue(ctx(), {});
    expect(first.waiting).toHaveLength(50);
    const second = await review.queue(ctx(), { cursor: first.next });
    expect(second.next).toBeUndefined();
    const back = await review.queue(ctx(), { cursor: second.previous });
    expect([back.waiting, back.previous]).toEqual([first.waiting, undefined]);
    const slugs = [...first.waiting, ...second.waiting].map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs).toHaveLength(55);
    expect(await review.countWaiting(ctx())).toBe(55);
  });
});

async function sandboxed(given: Parameters<typeof makeConsumer>[1] = {}) {
  const consumer = await makeConsumer(database, { rateLimit: 1000, ...given });
  const { value: key } = await issueKey(database, consumer.id);
  return { consumer, key };
}

describe("approving an application", () => {
  it("opens the sandbox, writes the audit and tells the owner", async () => {
    const { ctx, account } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review" });
    await makeStore(database);
    await review.approveSandbox(ctx(), shown(consumer));
    expect(await told(consumer.id)).toEqual([]);
    expect(await rowOf(consumer.id)).toMatchObject({ state: "sandbox", version: 2, decidedAt: expect.any(Date) });
    expect(await actsOf(consumer.id)).toMatchObject([
      {
        action: "application.approve",
        actor_id: account.id,
        before: { state: "under_review" },
        after: { state: "sandbox" },
      },
    ]);
    expect((await mailsTo(consumer.owner.email)).map(({ subject }) => subject)).toEqual([
      "Your application was approved",
    ]);
  });

  it("is refused where the application was changed after it was shown: the operator reads it again", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review" });
    const { submittedAt: _, updatedAt: applicationUpdatedAt, ...form } = await applications.get(ownerOf(consumer));
    await applications.edit(ownerOf(consumer), { ...form, company: "Another" });
    const approve = (read: Date) => review.approveSandbox(ctx(), { ...shown(consumer), applicationUpdatedAt: read });
    await expect(approve(applicationUpdatedAt)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`${consumer.owner.name} changed the application on`),
    });
    expect((await rowOf(consumer.id)).state).toBe("under_review");
    await approve((await applications.get(ownerOf(consumer))).updatedAt);
    expect((await rowOf(consumer.id)).state).toBe("sandbox");
  });

  it("is refused by no act that the operator had read already, where the address alone was changed since", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review" });
    const person = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
    const { submittedAt: _, updatedAt: __, ...form } = await applications.get(ownerOf(consumer));
    await applications.edit(ownerOf(consumer), { ...form, technicalContactEmail: person.email });
    const { updatedAt: applicationUpdatedAt } = await applications.get(ownerOf(consumer));
    const email = newEmail();
    await addresses.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    await addresses.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
    await expect(review.approveSandbox(ctx(), { ...shown(consumer), applicationUpdatedAt })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^It was changed in the meantime, so nothing was changed\./),
    });
  });

  it("is not refused where an owner saved the application as it was, which is recorded nowhere", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review" });
    const { submittedAt: _, updatedAt, ...form } = await applications.get(ownerOf(consumer));
    await applications.edit(ownerOf(consumer), { ...form, updatedAt });
    expect(await actsOf(consumer.id)).toEqual([]);
    await review.approveSandbox(ctx(), { ...shown(consumer), applicationUpdatedAt: updatedAt });
    expect((await rowOf(consumer.id)).state).toBe("sandbox");
  });
});

describe("an owner who gets another address at that very moment", () => {
  it("is mailed the decision there", async () => {
    const consumer = await requested();
    const person = await makePerson();
    await database.db.insert(members).values({ consumerId: consumer.id, accountId: person.id, role: "owner" });
    const email = newEmail();
    await addresses.changeEmail(person.ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    const token = await linkTo(email, "/confirm-email");
    const { ctx } = await makeOperator();
    let confirming: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await review.decline({ ...ctx(), db: tx }, { ...shown(consumer), reason: "No." });
      confirming = addresses.confirmEmail(anonymous(), { token, currentPassword: PASSWORD });
      await untilWaiting(database.sql, 1);
    });
    await confirming;
    const mails = await database.sql`
      select recipient from outbox where template = 'production-declined' and recipient in (${email}, ${person.email})`;
    expect(mails).toEqual([{ recipient: email }]);
  });
});

describe("two operators at once", () => {
  it("decide once: of twenty, one does it, and each other is told who did what; one mail, one record", async () => {
    const consumer = await requested();
    const operators = await Promise.all(Array.from({ length: 20 }, makeOperator));
    const outcomes = await Promise.allSettled(
      operators.map(({ ctx }, i) =>
        i % 2
          ? review.decline(ctx(), { ...shown(consumer), reason: `No, says ${i}.` })
          : review.approveProduction(ctx(), { ...shown(consumer), ...access, utmSource: consumer.slug }),
      ),
    );
    const won = outcomes.findIndex(({ status }) => status === "fulfilled");
    const { account } = operators[won]!;
    const did = won % 2 ? "declined production access" : "approved production access";
    const others = outcomes.filter((_, i) => i !== won) as PromiseRejectedResult[];
    expect(others).toHaveLength(19);
    for (const { reason } of others) {
      expect(reason).toMatchObject({ code: "conflict", message: expect.stringContaining(`${account.name} ${did} on`) });
    }
    expect(await actsOf(consumer.id)).toHaveLength(1);
    expect(await mailsTo(consumer.owner.email)).toHaveLength(1);
  });

  it("approve an application once, though it is for both as they read it", async () => {
    const consumer = await makeConsumer(database, { state: "under_review" });
    const { updatedAt: applicationUpdatedAt } = await applications.get(ownerOf(consumer));
    const operators = await Promise.all([makeOperator(), makeOperator()]);
    const outcomes = await Promise.allSettled(
      operators.map(({ ctx }) => review.approveSandbox(ctx(), { ...shown(consumer), applicationUpdatedAt })),
    );
    const won = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(outcomes[1 - won]).toMatchObject({
      reason: {
        code: "conflict",
        message: expect.stringContaining(`${operators[won]!.account.name} approved the application on`),
      },
    });
    expect(await actsOf(consumer.id)).toHaveLength(1);
    expect(await mailsTo(consumer.owner.email)).toHaveLength(1);
  });

  it("reject and restore each once, too", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database);
    const race = async (work: () => Promise<void>) =>
      (await Promise.allSettled(Array.from({ length: 20 }, work))).filter(({ status }) => status === "fulfilled")
        .length;
    expect(await race(() => review.reject(ctx(), { ...shown(consumer), reason: "No." }))).toBe(1);
    const revoked = await rowOf(consumer.id);
    expect(await race(() => review.restore(ctx(), shown(revoked)))).toBe(1);
    expect(await actsOf(consumer.id)).toHaveLength(2);
  });

  it("who changes limits from an old page is told, with the day, and changes nothing", async () => {
    const [one, two] = [await makeOperator(), await makeOperator()];
    const consumer = await makeConsumer(database);
    await platforms.change(one.ctx(), { ...shown(consumer), set: { rateLimit: 100 } });
    const [act] = await database.sql`select at from audit where target_id = ${consumer.id}`;
    const [day, time] = act!.at.toISOString().split(/[T.]/);
    await expect(platforms.change(two.ctx(), { ...shown(consumer), set: { rateLimit: 200 } })).rejects.toMatchObject({
      message: expect.stringContaining(`${one.account.name} changed limits and access on ${day} at ${time} UTC`),
    });
    expect((await rowOf(consumer.id)).rateLimit).toBe(100);
  });
});

describe("going live", () => {
  it("sets what the operator chose; the same key at once reads every store, with the platform's credit", async () => {
    const { ctx } = await makeOperator();
    const other = await makeStore(database);
    const { consumer, key } = await sandboxed({ state: "production_requested" });
    const stores = async () =>
      (await callTool(server.url, key, "list_stores", { limit: 50 })).json.result.structuredContent.stores.map(
        (store: { store_id: string }) => store.store_id,
      );
    expect(await stores()).toEqual([demo.id]);
    const directorySlug = `${consumer.slug}-apps`;
    await review.approveProduction(ctx(), { ...shown(consumer), ...access, utmSource: "acme.ai", directorySlug });
    expect(await stores()).toEqual(expect.arrayContaining([demo.id, other.id]));
    expect(await rowOf(consumer.id)).toMatchObject({
      ...access,
      state: "production",
      utmSource: "acme.ai",
      directorySlug,
    });
    const list = await rpc(server.url, undefined, "tools/list", {}, { path: `/api/mcp/p/${directorySlug}` });
    expect(list.status).toBe(200);
    await platforms.change(ctx(), { slug: consumer.slug, set: { directorySlug: null } });
    const gone = await rpc(server.url, undefined, "tools/list", {}, { path: `/api/mcp/p/${directorySlug}` });
    expect(gone.status).toBe(404);
    expect((await mailsTo(consumer.owner.email)).map(({ subject }) => subject)).toEqual([
      "Your platform is in production",
    ]);
  });

  it("notifies each readable store once, ever: not again when it is retried, revoked, restored or made wider", async () => {
    const { ctx } = await makeOperator();
    const [open, blocked, hidden] = [
      await makeStore(database),
      await makeStore(database),
      await makeStore(database, { ai_discovery: false }),
    ];
    const consumer = await requested();
    await database.sql`insert into blocks (consumer_id, store_id) values (${consumer.id}, ${blocked.id})`;
    await database.sql`insert into grants (consumer_id, store_id) values (${consumer.id}, ${open.id})`;
    const explicit = { ...access, coverage: "explicit" as const, utmSource: consumer.slug };
    await review.approveProduction(ctx(), { ...shown(consumer), ...explicit });
    const first = await told(consumer.id);
    const demo = await database.sql<{ id: string }[]>`select id from stores where is_demo`;
    expect(first.map(({ store_id }) => store_id).toSorted()).toEqual([open.id, ...demo.map(({ id }) => id)].toSorted());

    await review.reject(ctx(), { slug: consumer.slug, version: 2, reason: "A leak." });
    await review.restore(ctx(), { slug: consumer.slug, version: 3 });
    expect(await told(consumer.id)).toEqual(first);

    await platforms.change(ctx(), { slug: consumer.slug, set: { coverage: "default_on" } });
    const wider = await told(consumer.id);
    expect(wider).toEqual(expect.arrayContaining([...first]));
    const stores = wider.map(({ store_id }) => store_id);
    expect(stores).not.toContain(blocked.id);
    expect(stores).not.toContain(hidden.id);
    const [readable] =
      await database.sql`select count(*)::int as n from stores where (ai_discovery or is_demo) and id <> ${blocked.id}`;
    expect(wider).toHaveLength(readable!.n);
  });

  it("is the same from the command line's operation, whose consumer has its slug as utm_source", async () => {
    const { ctx } = await makeOperator();
    const { id, slug } = await makeConsumer(database);
    const store = await makeStore(database);
    await platforms.change(ctx(), { slug, set: { tier: "production" } });
    expect(await rowOf(id)).toMatchObject({ state: "production", utmSource: slug });
    expect((await told(id)).map(({ store_id }) => store_id)).toContain(store.id);
  });

  it("is mailed to the owners by whichever door it comes, as is its end; of both that wait, the last alone", async () => {
    const { ctx } = await makeOperator();
    const [consumer, waiting] = [await makeConsumer(database), await requested()];
    const to = (tier: "production" | "sandbox", { slug } = consumer) =>
      platforms.change(ctx(), { slug, set: { tier, rateLimit: 7 } });
    const mailed = async ({ owner } = consumer) =>
      (await mailsTo(owner.email)).map(({ subject, text }) => [subject, text.replace(/\s+/g, " ")]);
    const live = ["Your platform is in production", expect.stringContaining(`${consumer.name} now has production`)];
    const none = "It has no key that works; one that is issued from now on reads no merchant's store. An owner";
    const ended = [
      "Your platform is in the sandbox again",
      expect.stringContaining(`no longer has production access. ${none}`),
    ];
    await to("production");
    expect(await mailed()).toEqual([live]);
    await to("production");
    await platforms.change(ctx(), { slug: consumer.slug, set: { rateLimit: 8 } });
    expect(await mailed()).toEqual([live]);
    await to("sandbox");
    expect(await mailed()).toEqual([ended, live]);
    await review.decline(ctx(), { ...shown(waiting), reason: "Not yet." });
    await to("production", waiting);
    await to("sandbox", waiting);
    expect((await mailed(waiting)).map(([subject]) => subject)).toEqual(["Your platform is in the sandbox again"]);
  });

  it("is told to an owner who asks for it from a page of before, and offered on none of now", async () => {
    const { ctx } = await makeOperator();
    const consumer = await requested();
    const again = () => outcomeOf(overview.requestProduction(ownerOf(consumer)));
    const offer = async () => (await overview.read(ownerOf(consumer))).production;
    expect(await again()).toMatchObject({ message: "Production access has already been requested." });
    expect(await offer()).toEqual({ offered: false, missing: null });
    await review.approveProduction(ctx(), { ...shown(consumer), ...access, utmSource: consumer.slug });
    expect(await again()).toMatchObject({ message: "This platform already has production access." });
    expect(await offer()).toEqual({ offered: false, missing: null });
  });

  it("that fails leaves nothing behind: no state, no notification, no record, no mail", async () => {
    const { ctx } = await makeOperator();
    const holder = await makeConsumer(database, { state: "production", directorySlug: `taken-${Date.now()}` });
    const consumer = await requested();
    const approve = (more: object) =>
      review.approveProduction(ctx(), { ...shown(consumer), ...access, utmSource: consumer.slug, ...more });
    await expect(approve({ utmSource: holder.utmSource })).rejects.toMatchObject({
      code: "conflict",
      details: { field: "utmSource" },
    });
    await expect(approve({ directorySlug: holder.directorySlug })).rejects.toMatchObject({
      code: "conflict",
      details: { field: "directorySlug" },
    });
    expect(await rowOf(consumer.id)).toMatchObject({ state: "production_requested", version: 1 });
    expect(await told(consumer.id)).toEqual([]);
    expect(await actsOf(consumer.id)).toEqual([]);
    expect(await mailsTo(consumer.owner.email)).toEqual([]);
    await approve({});
    expect((await rowOf(consumer.id)).state).toBe("production");
  });

  it("takes neither the sandbox's utm_source nor a directory slug with capitals", () => {
    const parse = (more: object) =>
      review.ApproveProduction.safeParse({ slug: "a", version: "1", ...access, utmSource: "a", ...more });
    expect(parse({}).success).toBe(true);
    for (const utmSource of ["aisle_sandbox", " Aisle_Sandbox "])
      expect(parse({ utmSource }).error?.issues[0]?.path, utmSource).toEqual(["utmSource"]);
    expect(parse({ directorySlug: "Acme" }).error?.issues[0]?.path).toEqual(["directorySlug"]);
    expect(parse({ rateLimit: "" }).error?.issues[0]?.path).toEqual(["rateLimit"]);
  });

  it("takes limits within their bounds alone: 1 to 1,000,000 requests a minute, 0 to 1,000 keys", () => {
    const refused = (set: object) => platforms.ChangeConsumer.safeParse(set).error?.issues.map(({ path }) => path[0]);
    for (const set of [{ rateLimit: "1" }, { rateLimit: "1000000" }, { maxKeys: "0" }, { maxKeys: "1000" }])
      expect(refused(set), JSON.stringify(set)).toBeUndefined();
    for (const rateLimit of ["0", "1000001"]) expect(refused({ rateLimit }), rateLimit).toEqual(["rateLimit"]);
    for (const maxKeys of ["-1", "1001"]) expect(refused({ maxKeys }), maxKeys).toEqual(["maxKeys"]);
  });
});

describe("declining", () => {
  it("leaves the sandbox as it was and gives the reason; the owner may ask again", async () => {
    const { ctx } = await makeOperator();
    const { consumer, key } = await sandboxed({ state: "production_requested" });
    await review.decline(ctx(), { ...shown(consumer), reason: "The links lose their parameters." });
    expect((await rpc(server.url, key, "ping")).status).toBe(200);
    const owner = { kind: "member", accountId: consumer.owner.id, consumerId: consumer.id, role: "owner" } as const;
    expect(await overview.read(database.as(owner))).toMatchObject({
      state: "sandbox",
      decision: { reason: "The links lose their parameters." },
    });
    const [mail] = await mailsTo(consumer.owner.email);
    expect(mail!.text).toContain("Reason: The links lose their parameters.");
    await callTool(server.url, key, "list_stores", {});
    await untilRecorded(database);
    await overview.requestProduction(database.as(owner));
    expect((await rowOf(consumer.id)).state).toBe("production_requested");
  });
});

describe("each decision", () => {
  const states = ["under_review", "sandbox", "production_requested", "production", "revoked"] as const;
  type Decide = (ctx: ReturnType<typeof database.as<Operator>>, shown: { slug: string; version: number }) => unknown;
  const reason = "No.";
  it.each<[string, (typeof states)[number][], Decide]>([
    ["an approval", ["under_review"], review.approveSandbox],
    [
      "going live",
      ["production_requested"],
      (ctx, shown) => review.approveProduction(ctx, { ...shown, ...access, utmSource: shown.slug }),
    ],
    ["declining", ["production_requested"], (ctx, shown) => review.decline(ctx, { ...shown, reason })],
    ["a rejection", states.slice(0, 4), (ctx, shown) => review.reject(ctx, { ...shown, reason })],
    ["restoring", ["revoked"], review.restore],
  ])("is taken where it is due, and in no other state: %s", async (_, due, decide) => {
    const { ctx } = await makeOperator();
    for (const state of states) {
      const consumer = await makeConsumer(database, { state, revokedFrom: state === "revoked" ? "sandbox" : null });
      const developer = await makeAccount(database);
      await database.db
        .insert(members)
        .values({ consumerId: consumer.id, accountId: developer.id, role: "developer" as const });
      const outcome = outcomeOf(Promise.resolve(decide(ctx(), shown(consumer))));
      expect(await outcome, state).toMatchObject(due.includes(state) ? { value: undefined } : { code: "conflict" });
      if (!due.includes(state)) expect((await rowOf(consumer.id)).state).toBe(state);
      // Owners alone are told.
      expect(await mailsTo(developer.email)).toEqual([]);
    }
  });
});

describe("rejecting and restoring", () => {
  it.each(["under_review", "sandbox", "production_requested", "production"] as const)(
    "from %s: access is gone, and comes back as it was",
    async (state) => {
      const { ctx } = await makeOperator();
      const { consumer, key } = await sandboxed();
      const directorySlug = `${consumer.slug}-apps`;
      await database.db
        .update(consumers)
        .set({ state, utmSource: consumer.slug, directorySlug })
        .where(eq(consumers.id, consumer.id));
      const statuses = async () => [
        (await rpc(server.url, key, "ping")).status,
        (await rpc(server.url, undefined, "ping", {}, { path: `/api/mcp/p/${directorySlug}` })).status,
      ];
      const before = await statuses();
      await review.reject(ctx(), { ...shown(consumer), reason: "Prices were changed." });
      const refused = await rpc(server.url, key, "ping");
      expect(refused.status).toBe(401);
      expect(refused.json.error.data).toMatchObject({ code: "invalid_token", reason: "access_revoked" });
      expect(await statuses()).toEqual([401, 404]);
      expect(await rowOf(consumer.id)).toMatchObject({ state: "revoked", revokedFrom: state });
      await mailsTo(consumer.owner.email);

      await review.restore(ctx(), { slug: consumer.slug, version: 2 });
      expect(await statuses()).toEqual(before);
      // When it was restored is not when it was approved.
      const restored = { state, revokedFrom: null, decisionReason: null, decidedAt: null };
      expect(await rowOf(consumer.id)).toMatchObject(restored);
      const mails = await mailsTo(consumer.owner.email);
      const subjects = mails.map(({ subject }) => subject);
      expect(mails.some(({ text }) => text.includes("reply to this email and ask an operator to look again"))).toBe(
        true,
      );
      const told =
        state === "under_review"
          ? ["About your application", "Your application is under review again"]
          : ["Access to Aisle was revoked", "Access to Aisle was restored"];
      expect(subjects.toSorted()).toEqual(told.toSorted());
    },
  );

  it.each(["under_review", "sandbox"] as const)(
    "from %s holds whatever its owner has written meanwhile, and limits are changed so, too",
    async (state) => {
      const { ctx } = await makeOperator();
      const consumer = await makeConsumer(database, { state });
      const { submittedAt: _, updatedAt: __, ...form } = await applications.get(ownerOf(consumer));
      await applications.edit(ownerOf(consumer), { ...form, company: "Another" });
      const changed = await platforms.change(ctx(), { ...shown(consumer), set: { rateLimit: 7 } });
      await applications.edit(ownerOf(consumer), { ...form, company: "A third" });
      await review.reject(ctx(), { ...shown(changed), reason: "Prices were changed." });
      expect(await rowOf(consumer.id)).toMatchObject({ state: "revoked", revokedFrom: state, rateLimit: 7 });
    },
  );

  it("is refused where a colleague approved meanwhile, who is named though an owner wrote after that", async () => {
    const [one, two] = [await makeOperator(), await makeOperator()];
    const consumer = await makeConsumer(database, { state: "under_review" });
    await review.approveSandbox(one.ctx(), shown(consumer));
    const { submittedAt: _, updatedAt: __, ...form } = await applications.get(ownerOf(consumer));
    await applications.edit(ownerOf(consumer), { ...form, company: "Another" });
    await expect(review.reject(two.ctx(), { ...shown(consumer), reason: "No." })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`${one.account.name} approved the application on`),
    });
    expect((await rowOf(consumer.id)).state).toBe("sandbox");
  });

  it.each(["under_review", "sandbox"] as const)(
    "from %s, undone before its mail was sent, leaves the mail of the last decision alone",
    async (state) => {
      const { ctx } = await makeOperator();
      const consumer = await makeConsumer(database, { state });
      await review.reject(ctx(), { ...shown(consumer), reason: "Prices were changed." });
      await review.restore(ctx(), { slug: consumer.slug, version: 2 });
      const subjects = (await mailsTo(consumer.owner.email)).map(({ subject }) => subject);
      expect(subjects).toEqual([
        state === "under_review" ? "Your application is under review again" : "Access to Aisle was restored",
      ]);
    },
  );

  it("undone, leaves what was decided before and not mailed yet to be read: what is declined, and why", async () => {
    const { ctx } = await makeOperator();
    const consumer = await requested();
    const mailed = async () =>
      (await mailsTo(consumer.owner.email)).map(({ subject, text }) => [subject, text.replace(/\s+/g, " ")]);
    const declined = ["About your request for production access", expect.stringContaining("Reason: Why.")];
    await review.decline(ctx(), { ...shown(consumer), reason: "Why." });
    await review.reject(ctx(), { slug: consumer.slug, version: 2, reason: "By mistake." });
    await review.restore(ctx(), { slug: consumer.slug, version: 3 });
    expect(await mailed()).toEqual([
      ["Access to Aisle was restored", expect.stringContaining("has its access back, in the sandbox as before.")],
      declined,
    ]);
  });

  it("undone, leaves on Overview what was decided before, and when: what was declined, and why, or what was approved", async () => {
    const { ctx } = await makeOperator();
    const [declined, approved] = [await requested(), await requested()];
    const at = new Date(Date.now() - 86_400_000);
    await review.decline(ctx(at), { ...shown(declined), reason: "Not yet." });
    await review.approveProduction(ctx(at), { ...shown(approved), ...access, utmSource: approved.slug });
    for (const consumer of [declined, approved])
      for (const version of [2, 4]) {
        await review.reject(ctx(), { slug: consumer.slug, version, reason: "By mistake." });
        await review.restore(ctx(), { slug: consumer.slug, version: version + 1 });
      }
    const decided = async (consumer: typeof declined) => (await overview.read(ownerOf(consumer))).decision;
    expect(await decided(declined)).toEqual({ at, reason: "Not yet." });
    expect(await decided(approved)).toEqual({ at, reason: null });
  });

  it("is mailed beside what was declined before it, which then promises nothing; a later request's answer alone", async () => {
    const { ctx } = await makeOperator();
    const [revoked, approved] = [await requested(), await requested()];
    for (const consumer of [revoked, approved]) await review.decline(ctx(), { ...shown(consumer), reason: "Not yet." });
    await review.reject(ctx(), { slug: revoked.slug, version: 2, reason: "A leak." });
    await database.db.update(consumers).set({ state: "production_requested" }).where(eq(consumers.id, approved.id));
    const { version } = await rowOf(approved.id);
    await review.approveProduction(ctx(), { slug: approved.slug, version, ...access, utmSource: approved.slug });
    const [last, earlier, ...more] = await mailsTo(revoked.owner.email);
    expect([last!.subject, more]).toEqual(["Access to Aisle was revoked", []]);
    expect(earlier!.text).toContain("Reason: Not yet.");
    expect(earlier!.text).not.toMatch(/keeps? working/);
    expect(earlier!.text).toContain("while it has that, an owner may ask again.");
    expect((await mailsTo(approved.owner.email)).map(({ subject }) => subject)).toEqual([
      "Your platform is in production",
    ]);
  });

  it("ended, is mailed with what becomes of the keys that there are", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production" });
    await issueKey(database, consumer.id);
    await platforms.change(ctx(), { slug: consumer.slug, set: { tier: "sandbox" } });
    const [mail] = await mailsTo(consumer.owner.email);
    expect(mail!.text.replace(/\s+/g, " ")).toContain("Its keys keep working, in sandbox: from now on they read no");
  });

  it("undone, says that a platform is in production of which that was not mailed yet", async () => {
    const { ctx } = await makeOperator();
    const consumer = await requested();
    await review.approveProduction(ctx(), { ...shown(consumer), ...access, utmSource: consumer.slug });
    await review.reject(ctx(), { slug: consumer.slug, version: 2, reason: "By mistake." });
    await review.restore(ctx(), { slug: consumer.slug, version: 3 });
    const [mail, ...more] = await mailsTo(consumer.owner.email);
    expect([mail!.subject, more]).toEqual(["Access to Aisle was restored", []]);
    expect(mail!.text.replace(/\s+/g, " ")).toContain(
      `${consumer.name} has its access back, in production as before. It has no key that works: issue one on the Keys page, to read the stores in its coverage.`,
    );
  });

  it("tells the owners of terms that came while there was no access, with the access that is back", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "revoked", revokedFrom: "sandbox" });
    const textOf = async () => (await mailsTo(consumer.owner.email))[0]!.text;
    await review.restore(ctx(), shown(consumer));
    expect(await textOf()).not.toContain("data-use terms");
    await review.reject(ctx(), { slug: consumer.slug, version: 2, reason: "Prices were changed." });
    await database.db.update(consumers).set({ termsVersion: null }).where(eq(consumers.id, consumer.id));
    await review.restore(ctx(), { slug: consumer.slug, version: 3 });
    expect(await textOf()).toMatch(/Version \d{4}-\d\d-\d\d of the data-use terms is in force/);
  });

  it.each(["under_review", "production_requested"] as const)(
    "approved from %s: its owners are led to Keys where they may issue one, and to terms that are to be accepted first",
    async (state) => {
      const { ctx } = await makeOperator();
      const said = async (termsVersion?: null) => {
        const consumer = await makeConsumer(database, { state, ...(termsVersion === null && { termsVersion }) });
        if (state === "under_review") await review.approveSandbox(ctx(), shown(consumer));
        else await review.approveProduction(ctx(), { ...shown(consumer), ...access, utmSource: consumer.slug });
        const [mail, ...more] = await mailsTo(consumer.owner.email);
        expect(more).toEqual([]);
        return mail!.text;
      };
      const [accepted, outdated] = [await said(), await said(null)];
      expect(accepted).toContain("Open Keys");
      expect(accepted).not.toContain("data-use terms");
      expect(outdated).toMatch(/Version \d{4}-\d\d-\d\d of the data-use terms is in force/);
      expect(outdated).toContain("Open Overview");
      expect(outdated).not.toContain("Open Keys");
    },
  );

  it("takes the pack for directories away with the endpoint that it is about, and undone gives it back", async () => {
    const { ctx } = await makeOperator();
    const directorySlug = `pack-${randomUUID()}`;
    const consumer = await makeConsumer(database, { state: "production", directorySlug });
    const packs = () =>
      Promise.all(
        [ctx(), ownerOf(consumer)].map((who) => outcomeOf(platforms.directoryEntry(who, { consumerId: consumer.id }))),
      );
    const there = Array(2).fill({ value: expect.objectContaining({ slug: directorySlug }) });
    expect(await packs()).toEqual(there);
    await review.reject(ctx(), { ...shown(consumer), reason: "Prices were changed." });
    expect(await packs()).toMatchObject(Array(2).fill({ code: "not_found" }));
    await review.restore(ctx(), shown(await rowOf(consumer.id)));
    expect(await packs()).toEqual(there);
  });

  it("does not restore a platform that has no owner any more", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "revoked", revokedFrom: "sandbox" });
    await database.db.delete(members).where(eq(members.consumerId, consumer.id));
    await expect(review.restore(ctx(), shown(consumer))).rejects.toMatchObject({
      message: "It has no owner. Add one under Members, then restore it.",
    });
  });
});

describe("history", () => {
  it("says who did what to the consumer and to which of its keys, with what changed, newest first", async () => {
    const { ctx, account } = await makeOperator();
    const consumer = await makeConsumer(database);
    const commandLine = database.as({ kind: "operator", accountId: null });
    const key = await keys.issue(commandLine, { consumerId: consumer.id, name: "Server" });
    await platforms.change(ctx(), { slug: consumer.slug, set: { rateLimit: 120 } });
    const heir = await keys.rotate(ownerOf(consumer), { id: key.id, revokeOld: false });
    await keys.revoke(ctx(), { id: key.id });
    await platforms.change(ctx(), { slug: consumer.slug, set: { scopes: [] } });
    const { acts, previous, next } = await platforms.history(ctx(), { consumerId: consumer.id });
    expect(acts).toMatchObject([
      { changes: [{ field: "scopes", before: consumer.scopes.join(", "), after: null }] },
      { who: account.name, did: `revoked the key Server (…${key.value.slice(-4)})` },
      {
        who: consumer.owner.name,
        did: `rotated a key: the new one is Server (…${heir.value.slice(-4)})`,
        changes: [
          { field: "scopes", before: null },
          { field: "revokeOld", before: null, after: "no" },
        ],
      },
      {
        who: account.name,
        did: "changed limits and access",
        changes: [{ field: "rateLimit", before: "60", after: "120" }],
      },
      {
        who: "The command line",
        did: `issued the key Server (…${key.value.slice(-4)})`,
        changes: [{ field: "scopes", before: null }],
      },
    ]);
    expect([previous, next]).toEqual([undefined, undefined]);
    expect(JSON.stringify(acts)).not.toContain(key.value);
  });

  it("says of an application that was changed what the change was, and nothing of when it was handed in", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "under_review" });
    const { submittedAt: _, updatedAt: __, ...form } = await applications.get(ownerOf(consumer));
    await applications.edit(ownerOf(consumer), { ...form, company: "Another" });
    const changed = [{ field: "company", before: form.company, after: "Another" }];
    expect((await actsOf(consumer.id))[0]!.before).not.toHaveProperty("submittedAt");
    // As releases before this one wrote it.
    await database.sql`
      insert into audit (id, actor_kind, actor_id, action, target_kind, target_id, before, after, request_id)
      select ${randomUUID()}, actor_kind, actor_id, action, target_kind, target_id,
        before || '{"submittedAt": "2026-01-01T00:00:00.000Z"}', after, request_id
      from audit where target_id = ${consumer.id} and action = 'application.edit'`;
    const { acts } = await platforms.history(ctx(), { consumerId: consumer.id });
    expect(acts.map(({ changes }) => changes)).toEqual([changed, changed]);
  });

  it("says each reason once, with the act that it was given for", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database, { state: "production_requested" });
    const of = async () => shown(await rowOf(consumer.id));
    const reason = "Links lose their parameters.";
    await review.decline(ctx(), { ...(await of()), reason });
    await platforms.change(ctx(), { slug: consumer.slug, set: { rateLimit: 120 } });
    await database.db.update(consumers).set({ state: "production_requested" }).where(eq(consumers.id, consumer.id));
    await review.decline(ctx(), { ...(await of()), reason });
    await review.reject(ctx(), { ...(await of()), reason: "They still do." });
    await review.restore(ctx(), await of());
    const { acts } = await platforms.history(ctx(), { consumerId: consumer.id });
    const reasons = acts.map(({ did, changes }) => [did, changes.find(({ field }) => field === "decisionReason")]);
    expect(reasons).toEqual([
      ["restored access", undefined],
      ["revoked access", { field: "decisionReason", before: null, after: "They still do." }],
      ["declined production access", { field: "decisionReason", before: null, after: reason }],
      ["changed limits and access", undefined],
      ["declined production access", { field: "decisionReason", before: null, after: reason }],
    ]);
  });

  it("speaks of the application of a platform that was under review, and of access of any other", async () => {
    const { ctx } = await makeOperator();
    const said = async (state: "under_review" | "sandbox") => {
      const consumer = await makeConsumer(database, { state });
      await review.reject(ctx(), { ...shown(consumer), reason: "No." });
      await review.restore(ctx(), { slug: consumer.slug, version: 2 });
      const { acts } = await platforms.history(ctx(), { consumerId: consumer.id });
      return acts.map(({ did }) => did);
    };
    expect(await said("under_review")).toEqual(["restored the application", "rejected the application"]);
    expect(await said("sandbox")).toEqual(["restored access", "revoked access"]);
  });

  it("says in words that a key was found in public", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database);
    const { value } = await issueKey(database, consumer.id, { name: "Server" });
    const url = "https://github.com/example/app/blob/main/.env";
    await leaks.report(database.as({ kind: "system" }), [{ token: value, type: "key", url, source: "content" }]);
    const { acts } = await platforms.history(ctx(), { consumerId: consumer.id });
    expect(acts[0]).toMatchObject({
      who: "The service",
      did: `revoked the key Server (…${value.slice(-4)}), which was found in public`,
      changes: [
        { field: "url", before: null, after: url },
        { field: "source", before: null, after: "content" },
      ],
    });
  });

  it("is walked a page at a time, forth and back", async () => {
    const { ctx } = await makeOperator();
    const consumer = await makeConsumer(database);
    for (let i = 1; i <= 35; i++) await platforms.change(ctx(), { slug: consumer.slug, set: { rateLimit: i } });
    const first = await platforms.history(ctx(), { consumerId: consumer.id });
    const second = await platforms.history(ctx(), { consumerId: consumer.id, cursor: first.next });
    expect(new Set([...first.acts, ...second.acts].map(({ id }) => id)).size).toBe(35);
    expect(second.next).toBeUndefined();
    const back = await platforms.history(ctx(), { consumerId: consumer.id, cursor: second.previous });
    expect([back.acts, back.previous]).toEqual([first.acts, undefined]);
  });
});
