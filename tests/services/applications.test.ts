// Applications: who need not wait, and those that come at the same moment.
import { eq } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { accounts } from "../../db/schema/accounts";
import { consumers } from "../../db/schema/consumers";
import { forget } from "../../server/services/accounts/addresses";
import * as applications from "../../server/services/applications";
import { GetConsumer } from "../../server/services/consumers";
import * as keys from "../../server/services/keys";
import * as terms from "../../server/services/terms";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer } from "../support/factories";
import { outcomeOf } from "../support/people";

const database = testDatabase();

/** Somebody new unless given, about to apply with a product of this name. */
async function makeApplicant(given?: string, shown?: string, changed: { company?: string; website?: string } = {}) {
  const accountId = given ?? (await makeAccount(database)).id;
  const ctx = database.as({ kind: "signed_in", accountId } as const);
  const acceptedTerms = shown ?? (await terms.currentVersion(ctx));
  return (productName: string, db = ctx.db) =>
    applications.submit(
      { ...ctx, db },
      {
        ...{ productName, company: "Finder", website: "https://finder.example.org", platform: "web" },
        ...{ expectedRequestsPerDay: 1, technicalContactEmail: "t@finder.example.org", shopperUse: "Asks." },
        ...changed,
        acceptedTerms,
      },
    );
}

describe("an application", () => {
  it.each([
    ["automatic_all", "elsewhere.example", "sandbox"],
    ["automatic_domain", "finder.example.org", "sandbox"],
    ["automatic_domain", "elsewhere.example", "under_review"],
    ["manual", "finder.example.org", "under_review"],
  ] as const)("by the rule %s of somebody at %s is %s", async (rule, domain, state) => {
    const [before] = await database.sql`select approval_rule as rule from settings`;
    onTestFinished(async () => {
      await database.sql`update settings set approval_rule = ${before!.rule}`;
    });
    await database.sql`update settings set approval_rule = ${rule}`;
    const { id } = await makeAccount(database, { email: `${crypto.randomUUID()}@${domain}` });
    const { key, ...submitted } = await (await makeApplicant(id))("Ruled");
    expect([submitted.state, key !== undefined]).toEqual([state, state === "sandbox"]);
  });

  it("that need not wait was decided as it came, and one that waits is not decided", async () => {
    const { id } = await makeAccount(database, { email: `${crypto.randomUUID()}@finder.example.org` });
    for (const accountId of [id, (await makeAccount(database)).id]) {
      const { consumerId, state } = await (await makeApplicant(accountId))("Decided");
      const [row] = await database.sql`select decided_at from consumers where id = ${consumerId}`;
      expect(row!.decided_at, state).toEqual(state === "sandbox" ? expect.any(Date) : null);
      expect(state).toBe(accountId === id ? "sandbox" : "under_review");
    }
  });

  it("is not saved over what another owner changed meanwhile, nor with an address that was erased", async () => {
    const { id: accountId } = await makeAccount(database);
    const { consumerId } = await (await makeApplicant(accountId))("Shared");
    const ctx = database.as({ kind: "member", accountId, consumerId, role: "owner" } as const);
    const shown = await applications.get(ctx);
    const { submittedAt: _, ...form } = shown;
    await applications.edit(ctx, { ...form, shopperUse: "Compares." });
    expect(await outcomeOf(applications.edit(ctx, { ...form, website: "https://other.example" }))).toMatchObject({
      code: "conflict",
    });
    expect(await applications.get(ctx)).toMatchObject({ shopperUse: "Compares.", website: form.website });
    const { submittedAt: __, ...newest } = await applications.get(ctx);
    await database.db.transaction((tx) => forget(tx, newest.technicalContactEmail));
    expect(await outcomeOf(applications.edit(ctx, newest))).toMatchObject({ code: "conflict" });
    expect((await applications.get(ctx)).technicalContactEmail).toBe("");
  });

  it("with terms that are not the current ones is refused, and leaves nothing", async () => {
    const { id } = await makeAccount(database);
    const submit = await makeApplicant(id, "2020-01-01");
    expect(await outcomeOf(submit("Outdated"))).toMatchObject({ code: "terms_outdated" });
    expect(await database.sql`select from consumers where name = 'Outdated'`).toHaveLength(0);
  });

  it.each([
    ["under_review", true],
    ["sandbox", true],
    ["production_requested", false],
    ["production", false],
    ["revoked", false],
  ] as const)("of a platform that is %s can be changed: %s", async (state, can) => {
    const { id: consumerId, owner } = await makeConsumer(database, {
      state,
      revokedFrom: state === "revoked" ? "sandbox" : null,
    });
    const ctx = database.as({ kind: "member", accountId: owner.id, consumerId, role: "owner" } as const);
    const { submittedAt: _, ...before } = await applications.get(ctx);
    const outcome = await outcomeOf(applications.edit(ctx, { ...before, productName: "Renamed" }));
    expect(outcome).toMatchObject(can ? { value: undefined } : { code: "conflict" });
    expect(await applications.get(ctx)).toMatchObject({ productName: can ? "Renamed" : before.productName });
    const [{ name }] = await database.sql<[{ name: string }]>`select name from consumers where id = ${consumerId}`;
    expect(name === "Renamed").toBe(can);
  });
});

describe("a platform that is called Demo", () => {
  it("is not taken for the demo's: its owner hears of what operators do to its keys", async () => {
    const { id, email } = await makeAccount(database, { email: `${crypto.randomUUID()}@finder.example.org` });
    const { slug, key } = await (await makeApplicant(id))("Demo");
    expect(slug).toBe("demo-2");
    await keys.revoke(database.as({ kind: "operator", accountId: null }), { id: key!.id });
    const mails = await database.sql`select template from outbox where recipient = ${email} order by id`;
    expect(mails.map(({ template }) => template)).toEqual(["application-approved", "key-revoked"]);
  });
});

it("a platform's slug has the words of its name, also with letters that are no others with an accent", async () => {
  expect((await (await makeApplicant())("Łódź Straßen Kjøp")).slug).toBe("lodz-strassen-kjop");
});

it.each([
  ["Harbour Lane", "harbour-lane"],
  ["شركة الميناء", "quay-example-org"],
])(
  "a platform whose name has no Latin letters is told from others by its company, %s, or its website",
  async (company, slug) => {
    const submit = await makeApplicant(undefined, undefined, {
      company,
      website: "https://www.quay.example.org/agent",
    });
    expect((await submit("مرشد الدروب")).slug).toBe(slug);
  },
);

it("an application that is decided at the moment at which it is changed stays as it was decided", async () => {
  const { id, name, owner } = await makeConsumer(database);
  const ctx = database.as({ kind: "member", accountId: owner.id, consumerId: id, role: "owner" } as const);
  const { submittedAt: _, updatedAt: __, ...form } = await applications.get(ctx);
  let editing: Promise<unknown> | undefined;
  await database.db.transaction(async (tx) => {
    await tx.update(consumers).set({ state: "production_requested" }).where(eq(consumers.id, id));
    editing = outcomeOf(applications.edit(ctx, { ...form, productName: "Another" }));
    await untilWaiting(database.sql, 1);
  });
  expect(await editing).toMatchObject({ code: "conflict" });
  expect(await applications.get(ctx)).toMatchObject(form);
  expect(await database.sql`select name from consumers where id = ${id}`).toEqual([{ name }]);
});

describe("applications at once", () => {
  it.each([
    ["of the same name", ["Twin", "Twin"], ["twin", "twin-2"]],
    ["of a name, and of what its number makes of it", ["Pair", "Pair", "Pair 2"], ["pair", "pair-2", "pair-2-2"]],
  ])("%s all succeed, each with a slug of its own", async (_, names, slugs) => {
    const before: string[] = [];
    for (const name of names.slice(0, -2)) before.push((await (await makeApplicant())(name)).slug);
    const [first, second] = names.slice(-2) as [string, string];
    const [one, other] = [await makeApplicant(), await makeApplicant()];
    let late: ReturnType<typeof other> | undefined;
    const early = await database.db.transaction(async (tx) => {
      const submitted = await one(first, tx);
      late = other(second);
      await untilWaiting(database.sql, 1);
      return submitted;
    });
    expect([...before, early.slug, (await late!).slug]).toEqual(slugs);
  });

  it("of one long name all have slugs that pages can be found by", async () => {
    const name = "Ä long nàme ".repeat(8).trim();
    const slugs: string[] = [];
    for (let i = 0; i < 11; i++) slugs.push((await (await makeApplicant())(name)).slug);
    expect(new Set(slugs).size).toBe(11);
    expect(slugs[0]).toBe("a-long-name-a-long-name-a-long-name-a-long-name-a");
    for (const slug of slugs) expect(GetConsumer.safeParse({ slug }).success, slug).toBe(true);
  });

  it("of twenty with one name all succeed, each with a slug of its own", async () => {
    const everybody = await Promise.all(Array.from({ length: 20 }, () => makeApplicant()));
    const submitted = await Promise.all(everybody.map((submit) => submit("Crowd")));
    expect(new Set(submitted.map(({ slug }) => slug)).size).toBe(20);
  });

  it("by an account that is deleted at that very moment is refused, and leaves nothing", async () => {
    const { id } = await makeAccount(database);
    const submit = await makeApplicant(id);
    let submitting: Promise<unknown> | undefined;
    await database.db.transaction(async (tx) => {
      await tx.delete(accounts).where(eq(accounts.id, id));
      submitting = outcomeOf(submit("Gone"));
      await untilWaiting(database.sql, 1);
    });
    expect(await submitting).toMatchObject({ code: "not_found" });
    expect(await database.sql`select from consumers where name = 'Gone'`).toHaveLength(0);
  });
});
