// What is stored about a person: they can take it away whole, and when they go, it goes.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { and, eq, sql as raw } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { applications, members } from "../../db/schema/consumers";
import { merchantMembers } from "../../db/schema/merchants";
import type { Consumer, Merchant, Owner } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import * as tokens from "../../server/services/accounts/tokens";
import * as decisions from "../../server/services/agent-decisions";
import * as doctor from "../../server/services/doctor";
import * as loads from "../../server/services/feeds/loads";
import * as source from "../../server/services/feeds/source";
import * as invitations from "../../server/services/invitations";
import * as keys from "../../server/services/keys";
import * as retention from "../../server/services/retention";
import * as usage from "../../server/services/usage";
import * as sessions from "../../server/sessions";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer, makeStore } from "../support/factories";
import { everythingStored, newAddress, newEmail, PASSWORD, people } from "../support/people";

const database = testDatabase();
const { accountOf, anonymous, linkTo, logIn, mailsTo, makePerson, signedIn, signUp, system } = people(database);
const operator = () => database.as({ kind: "operator", accountId: null } as const);

/** Versions of terms that nobody else has: days long ago. */
let published = 0;

/** Somebody who was everywhere: owner, merchant, operator, under two addresses. Everything that leads to them is made here. */
async function aLife() {
  const [first, email, network] = [newEmail(), newEmail(), newAddress()];
  const name = `Zebulon Q${randomBytes(6).toString("hex")}`;
  const { proof } = await signUp(first, { name });
  await accounts.verify(anonymous(), { token: await linkTo(first, "/verify"), proof });
  const id = (await accountOf(first))!.id;
  const ctx = signedIn(id);
  await accounts.changeEmail(ctx, { currentPassword: PASSWORD, email, address: newAddress() });
  await accounts.confirmEmail(anonymous(), {
    token: await linkTo(email, "/confirm-email"),
    currentPassword: PASSWORD,
  });
  const loggedIn = await logIn(email);
  const { token: session } = await sessions.create(anonymous(), {
    account: loggedIn,
    userAgent: "Tests/1.0",
    address: network,
  });
  await accounts.requestReset(anonymous(), { email, address: newAddress() });
  const [appSecret, code] = [randomBytes(48), randomBytes(8).toString("hex")];
  const codeHash = tokens.hashOf(code);
  await database.sql`insert into second_factors (account_id, secret, enabled_at) values (${id}, ${appSecret}, now())`;
  await database.sql`insert into recovery_codes (account_id, hash) values (${id}, ${codeHash})`;

  const consumer = await makeConsumer(database, { state: "production" });
  await database.db.update(members).set({ accountId: id }).where(eq(members.consumerId, consumer.id));
  await database.db
    .update(applications)
    .set({ accountId: id, technicalContactEmail: email })
    .where(eq(applications.consumerId, consumer.id));
  const elsewhere = await makeConsumer(database);
  await database.db
    .update(applications)
    .set({ technicalContactEmail: email.toUpperCase() })
    .where(eq(applications.consumerId, elsewhere.id));
  const member: Owner = { kind: "member", accountId: id, consumerId: consumer.id, role: "owner" };
  const key = await keys.issue(database.as(member), { consumerId: consumer.id, name: "Made by them" });
  await database.sql`insert into terms_acceptances (consumer_id, version, account_id) values (${consumer.id}, '2026-09-26', ${id})`;
  await database.sql`
    insert into terms (version, body, published_by) values (${new Date(++published * 86_400_000).toISOString().slice(0, 10)}, 'Text', ${id})`;
  const { token: doctorToken } = await doctor.open(database.as(member));
  const player: Consumer = {
    kind: "consumer",
    consumerId: consumer.id,
    slug: consumer.slug,
    tier: "production",
    coverage: "default_on",
    scopes: [],
    rateLimit: 60,
    utmSource: null,
    endpoint: "playground",
    keyId: null,
    accountId: id,
  };
  const told = { method: "tools/call", tool: "search_products", status: 200, latencyUs: 1, requestBytes: 1 };
  await usage.record(database.as(player), {
    ...told,
    responseBytes: 1,
    client: {},
    arguments: { query: `boots ${email}` },
  });

  const store = await makeStore(database);
  await database.db.insert(merchantMembers).values({ merchantId: store.merchantId, accountId: id });
  const merchant: Merchant = { kind: "merchant", accountId: id, merchantId: store.merchantId };
  const pair = { store: store.slug, platform: consumer.slug };
  await decisions.block(database.as(merchant), pair);
  await database.sql`insert into grants (consumer_id, store_id, created_by) values (${consumer.id}, ${store.id}, ${id})`;
  await source.set(database.as(merchant), { storeId: store.id, url: "https://feeds.example/theirs.tsv" });
  await loads.upload(database.as(merchant), {
    storeId: store.id,
    fileName: "theirs.tsv",
    content: [Buffer.from("id\ttitle\n")] as unknown as AsyncIterable<Uint8Array>,
  });
  const other = await makeStore(database);
  await invitations.send(operator(), { merchantId: other.merchantId, email });
  const asOperator = database.as({ kind: "operator", accountId: id } as const);
  await invitations.send(asOperator, { merchantId: other.merchantId, email: newEmail() });
  await mailsTo(email);
  await signUp(email); // and one that waits
  return {
    id,
    ctx,
    name,
    network,
    first,
    email,
    consumer,
    elsewhere,
    key,
    session,
    doctorToken,
    appSecret,
    code,
    codeHash,
    store,
  };
}

describe("one's own data", () => {
  it("is whole: everything that leads to the person is in it", async () => {
    const { id, ctx, name, network, first, email, consumer, elsewhere, store } = await aLife();
    const data = await accounts.ownData(ctx);
    expect(data).toMatchObject({
      account: { id, name, email },
      second_factor: [{ enabled_at: expect.any(Date), recovery_codes: 1 }],
      sessions: [{ user_agent: "Tests/1.0", address: network }],
      links: [
        { purpose: "verify", email: first },
        { purpose: "change_email", email },
        { purpose: "reset", email },
      ],
      platforms: [{ slug: consumer.slug, role: "owner" }],
      applications: [{ platform_slug: consumer.slug }, { platform_slug: elsewhere.slug }],
      terms_accepted: [{ platform_slug: consumer.slug, version: "2026-09-26" }],
      terms_published: [{ version: expect.any(String) }],
      keys: [{ platform_slug: consumer.slug, name: "Made by them", created_by_you: true, revoked_by_you: false }],
      client_checks: [{ requests: 0 }],
      merchants: [{ name: store.slug, digest: true }],
      invitations: { received: [{ email }], sent: [{ accepted_at: null }] },
      decisions: {
        blocks: [{ platform_slug: consumer.slug, store: store.slug }],
        grants: [{ platform_slug: consumer.slug, store: store.slug }],
      },
      catalogues: {
        loads: [{ store: store.slug, file_name: "theirs.tsv" }],
        sources: [{ url: "https://feeds.example/theirs.tsv" }],
      },
      playground_calls: {
        rows: [{ tool: "search_products", arguments: { query: "boots [email]" } }],
        left_out: 0,
      },
    });
    expect(data.mails.map(({ template }) => template)).toEqual(
      expect.arrayContaining(["email-change-confirm", "reset", "invitation", "address-taken"]),
    );
    const acts = data.audit.rows.map(({ action }) => action);
    expect(acts).toEqual(
      expect.arrayContaining(["account.sign_up", "account.log_in", "key.issue", "feed.upload", "account.take_data"]),
    );
  });

  it("has nothing of what others wrote into an application since the person left its platform", async () => {
    const { id, ctx, email, consumer } = await aLife();
    await database.db.delete(members).where(and(eq(members.consumerId, consumer.id), eq(members.accountId, id)));
    const theirs = { technicalContactEmail: "next@owner.example", shopperUse: "What the next owner says." };
    await database.db.update(applications).set(theirs).where(eq(applications.consumerId, consumer.id));
    const { applications: told } = await accounts.ownData(ctx);
    expect(JSON.stringify(told)).not.toMatch(/next@owner|next owner says/);
    expect(told).toMatchObject([
      { platform_slug: consumer.slug, technical_contact_email: null, shopper_use: null },
      { technical_contact_email: email.toUpperCase() },
    ]);
  });

  it("has the newest of what they did first", async () => {
    const { id, ctx } = await makePerson();
    for (const day of [2, 3, 1])
      await database.sql`
        insert into audit (id, at, actor_kind, actor_id, action, target_kind, target_id, request_id)
        values (gen_random_uuid(), ${new Date(Date.UTC(2026, 0, day))}, 'signed_in', ${id}, 'account.log_in', 'account', ${id}, gen_random_uuid())`;
    const { rows } = (await accounts.ownData(ctx)).audit;
    expect(rows.slice(-3).map(({ at }) => (at as Date).getUTCDate())).toEqual([3, 2, 1]);
  });

  it("leaves out no table: whatever refers to an account is asked for by it", async () => {
    const columns = await database.sql<{ name: string }[]>`
      select c.conrelid::regclass::text || '.' || a.attname as name
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.confrelid = 'accounts'::regclass
      union select c.relname || '.' || a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname in ('account_id', 'actor_id', 'email', 'recipient', 'technical_contact_email') order by 1`;
    // Whoever adds a column here adds it to services/accounts/own-data.ts, and to aLife() above.
    expect(columns.map(({ name }) => name)).toEqual([
      "account_tokens.account_id",
      "account_tokens.email",
      "accounts.email",
      "applications.account_id",
      "applications.technical_contact_email",
      "audit.actor_id",
      "blocks.created_by",
      "doctor_checks.account_id",
      "feed_loads.requested_by",
      "feed_sources.created_by",
      "grants.created_by",
      "keys.created_by",
      "keys.revoked_by",
      // Mails that a developer's machine keeps, the last 50; production has none.
      "local_mails.recipient",
      "members.account_id",
      "merchant_invitations.created_by",
      "merchant_invitations.email",
      "merchant_members.account_id",
      "outbox.recipient",
      "recovery_codes.account_id",
      "second_factors.account_id",
      "sessions.account_id",
      "terms.published_by",
      "terms_acceptances.account_id",
      "usage_events.account_id",
    ]);
  });

  it("has no secret: neither password nor token, nor their hashes", async () => {
    const { ctx, id, email, key, session, doctorToken, appSecret, codeHash } = await aLife();
    const text = JSON.stringify(await accounts.ownData(ctx));
    const { passwordHash } = (await accountOf(email))!;
    const sha256 = (secret: string) => createHash("sha256").update(secret).digest("hex");
    for (const secret of [key.value, session, doctorToken]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(sha256(secret));
    }
    expect(text).not.toContain(passwordHash);
    for (const bytes of [appSecret, codeHash])
      for (const encoding of ["hex", "base64"] as const) expect(text).not.toContain(bytes.toString(encoding));
    const hashes = await database.sql<{ hash: string }[]>`
      select encode(hash, 'hex') as hash from account_tokens where account_id = ${id}`;
    expect(hashes).toHaveLength(3);
    for (const { hash } of hashes) expect(text).not.toContain(hash);
  });

  it("has nothing of anybody else's", async () => {
    const stranger = await aLife();
    const own = await makePerson();
    const text = JSON.stringify(await accounts.ownData(own.ctx));
    for (const theirs of [stranger.id, stranger.email, stranger.consumer.slug, stranger.store.slug, stranger.name])
      expect(text).not.toContain(theirs);
  });

  it("has of the platforms and merchants that they share with others what they did there themselves", async () => {
    const colleague = await aLife();
    const own = await makePerson();
    const [{ consumer, store }, accountId] = [colleague, own.id];
    await database.db.insert(members).values({ consumerId: consumer.id, accountId, role: "developer" });
    await database.db.insert(merchantMembers).values({ merchantId: store.merchantId, accountId });
    const data = await accounts.ownData(own.ctx);
    expect(data).toMatchObject({
      ...{ platforms: [{ slug: consumer.slug }], merchants: [{ name: store.slug }], keys: [], terms_accepted: [] },
      ...{ decisions: { blocks: [], grants: [] }, catalogues: { loads: [], sources: [] } },
      playground_calls: { rows: [], left_out: 0 },
    });
    for (const theirs of [colleague.id, colleague.email, colleague.name])
      expect(JSON.stringify(data)).not.toContain(theirs);
  });

  it("is read one person's after another's: agents keep their connections, however many take theirs at once", async () => {
    const takers = await Promise.all(Array.from({ length: 5 }, () => makePerson()));
    let taken: Promise<unknown>[] = [];
    await database.db.transaction(async (tx) => {
      await tx.execute(raw`lock table doctor_checks in access exclusive mode`);
      taken = takers.map(({ ctx }) => accounts.ownData(ctx));
      const ids = takers.map(({ id }) => id);
      // Until each was recorded, which is the last that they do before.
      await vi.waitFor(async () => {
        const [asked] = await database.sql`
          select count(*)::int as n from audit where action = 'account.take_data' and actor_id in ${database.sql(ids)}`;
        expect(asked!.n).toBe(5);
      }, 60_000);
      await untilWaiting(database.sql, 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const [waiting] = await database.sql`
        select count(*)::int as n from pg_locks where not granted and relation = 'doctor_checks'::regclass`;
      expect(waiting!.n).toBe(1);
    });
    for (const [i, data] of (await Promise.all(taken)).entries())
      expect(data).toMatchObject({ account: { id: takers[i]!.id } });
  });

  it("is read for the next one also when it failed for the one before", async () => {
    const [gone, { id, ctx }] = [signedIn(randomUUID()), await makePerson()];
    const outcomes = await Promise.allSettled([accounts.ownData(gone), accounts.ownData(ctx)]);
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: { code: "not_found" } },
      { status: "fulfilled", value: { account: { id } } },
    ]);
  });

  it("can be taken ten times an hour, and each time is recorded", async () => {
    const { ctx, id } = await makePerson();
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => accounts.ownData(ctx)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    const [counted] = await database.sql`
      select count(*)::int as n from audit where actor_id = ${id} and action = 'account.take_data'`;
    expect(counted!.n).toBe(10);
  });
});

describe("a sign-up that was never confirmed", () => {
  it("is forgotten after 30 days, unless it was tried again or somebody gave it something", async () => {
    const [forgotten, again, given, proven] = [newEmail(), newEmail(), newEmail(), (await makePerson()).email];
    for (const email of [forgotten, again, given]) await signUp(email);
    await database.sql`
      update accounts set created_at = now() - interval '31 days' where email in ${database.sql([forgotten, again, given, proven])}`;
    await database.sql`
      update account_tokens set created_at = now() - interval '31 days', expires_at = now() - interval '30 days'
      where email in ${database.sql([forgotten, given])}`;
    const { merchantId } = await makeStore(database);
    await database.db.insert(merchantMembers).values({ merchantId, accountId: (await accountOf(given))!.id });
    await mailsTo(forgotten);
    await retention.run(system());
    const left = await Promise.all([forgotten, again, given, proven].map(accountOf));
    expect(left.map((account) => account !== undefined)).toEqual([false, true, true, true]);
  });
});

describe("an address that was asked for and never proved", () => {
  it("goes from the mails with the link to it, so that nothing leads to it any more", async () => {
    const { ctx } = await makePerson();
    const email = newEmail();
    await accounts.changeEmail(ctx, { currentPassword: PASSWORD, email, address: newAddress() });
    await mailsTo(email);
    const mails = () => database.sql`select template from outbox where recipient = ${email}`;
    const after = (hours: number) => retention.run({ ...system(), now: new Date(Date.now() + hours * 3_600_000) });
    await after(47);
    expect(await mails()).toHaveLength(1);
    await after(49);
    expect(await mails()).toEqual([]);
  });

  it("goes with the mail of a sign-up that could not be sent, too, and with all mails of one that is forgotten", async () => {
    const [unsent, email] = [newEmail(), newEmail()];
    await signUp(unsent);
    await signUp(email);
    await database.sql`
      update outbox set sent_at = null, dead_at = now(), next_attempt_at = null, data = '{}' where recipient = ${unsent}`;
    const mails = () => database.sql`select recipient, template from outbox where recipient in (${unsent}, ${email})`;
    const after = (days: number) => retention.run({ ...system(), now: new Date(Date.now() + days * 86_400_000) });
    await after(2.1);
    expect(await mails()).toEqual([]);
    await accounts.requestReset(anonymous(), { email, address: newAddress() });
    expect(await mails()).toMatchObject([{ recipient: email }]);
    await database.sql`update accounts set created_at = now() - interval '31 days' where email = ${email}`;
    await database.sql`delete from account_tokens where email = ${email}`;
    await after(0);
    expect(await mails()).toEqual([]);
  });
});

describe("a person who deletes their account", () => {
  it("leaves no trace of name, addresses or network anywhere, once the last mail is out", async () => {
    const { id, ctx, name, network, first, email, consumer, code } = await aLife();
    await accounts.deleteAccount(ctx, { currentPassword: PASSWORD, code });
    // The mail that says so waits.
    expect((await everythingStored(database)).includes(email)).toBe(true);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContain("Your Aisle account was deleted");
    await database.sql`delete from local_mails`; // where mail goes on a developer's machine
    const stored = (await everythingStored(database)).toLowerCase();
    const traces = [email, first, name.toLowerCase().split(" ")[1]!, network];
    expect(traces.filter((trace) => stored.includes(trace))).toEqual([]);
    // What was done stays, under an id that leads to nobody.
    const [kept] = await database.sql`
      select (select count(*)::int from audit where actor_id = ${id}) as acts,
        (select count(*)::int from usage_events where consumer_id = ${consumer.id}) as calls`;
    expect(kept!.acts).toBeGreaterThan(5);
    expect(kept!.calls).toBe(1);
  });

  it("whose last mail cannot be sent is forgotten when it is given up", async () => {
    const { ctx, email, code } = await aLife();
    await accounts.deleteAccount(ctx, { currentPassword: PASSWORD, code });
    const mail = await import("../../server/services/mail");
    const refusing = { deliver: () => Promise.reject(new Error("refused")), close() {} } as never;
    for (let days = 0; days < 8; days++) {
      await mail.deliverDue({ ...system(), now: new Date(Date.now() + days * 86_400_000) }, refusing);
    }
    expect((await everythingStored(database)).includes(email)).toBe(false);
  });
});
