// What operators set for everybody.
import { describe, expect, it } from "vitest";
import * as applications from "../../server/services/applications";
import * as settings from "../../server/services/settings";
import * as terms from "../../server/services/terms";
import { testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";
import { outcomeOf } from "../support/people";

const database = testDatabase();
const operator = () => database.as({ kind: "operator", accountId: null });
const read = async () => {
  const { lastChange: _, ...rest } = await settings.get(operator());
  return rest;
};
const recorded = () =>
  database.sql`select actor_id, before, after from audit where action = 'settings.change' order by at desc, id desc`;

describe("the settings", () => {
  it("of a new installation are what is promised: 60 requests and 30 Playground calls a minute, two keys, four scopes, the domain rule", async () => {
    expect(await read()).toEqual({
      version: 1,
      approvalRule: "automatic_domain",
      sandboxScopes: ["catalog:read", "offers:read", "promotions:read", "loyalty:read"],
      sandboxRateLimit: 60,
      sandboxMaxKeys: 2,
      playgroundRateLimit: 30,
    });
    expect(await terms.currentVersion(operator())).toBe("2026-09-26");
  });

  it("hold for the next application, and are recorded with before and after", async () => {
    const before = await read();
    const account = await makeAccount(database);
    const ctx = database.as({ kind: "operator", accountId: account.id } as const);
    const wanted = {
      approvalRule: "automatic_all",
      sandboxScopes: ["catalog:read", "offers:read"],
      sandboxRateLimit: 7,
      sandboxMaxKeys: 1,
      playgroundRateLimit: 12,
    } as const;
    await settings.change(ctx, settings.ChangeSettings.parse({ version: before.version, ...wanted }));
    expect(await settings.get(operator())).toMatchObject({
      ...wanted,
      version: before.version + 1,
      lastChange: { by: account.name },
    });
    const { version: _, ...old } = before;
    expect((await recorded())[0]).toEqual({ actor_id: account.id, before: old, after: wanted });
    const applicant = await makeAccount(database);
    const { state, consumerId } = await applications.submit(
      database.as({ kind: "signed_in", accountId: applicant.id } as const),
      {
        productName: "Finder",
        company: "Finder",
        website: "https://finder.example.org",
        platform: "web",
        expectedRequestsPerDay: 1,
        technicalContactEmail: "t@finder.example.org",
        shopperUse: "Asks.",
        acceptedTerms: "2026-09-26",
      },
    );
    expect(state).toBe("sandbox");
    const [consumer] = await database.sql`select scopes, rate_limit, max_keys from consumers where id = ${consumerId}`;
    expect(consumer).toEqual({ scopes: wanted.sandboxScopes, rate_limit: 7, max_keys: 1 });
  });

  it("are not overwritten by who saw others: of twenty at once one is saved, and the rest are told", async () => {
    const before = await read();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        outcomeOf(settings.change(operator(), { ...before, sandboxRateLimit: 100 + i })),
      ),
    );
    expect(outcomes.filter((outcome) => "value" in outcome)).toHaveLength(1);
    for (const outcome of outcomes) if ("code" in outcome) expect(outcome.code).toBe("conflict");
    expect((await read()).version).toBe(before.version + 1);
  });

  it("keep the sandbox's scopes once each, in their own order, however a form sends them", async () => {
    const scopes = ["loyalty:read", "catalog:read", "loyalty:read"];
    const { data } = settings.ChangeSettings.safeParse({ ...(await read()), sandboxScopes: scopes });
    expect(data?.sandboxScopes).toEqual(["catalog:read", "loyalty:read"]);
  });

  it("saved as they are change nothing and record nothing", async () => {
    const before = await read();
    const { length } = await recorded();
    await settings.change(operator(), before);
    expect(await read()).toEqual(before);
    expect(await recorded()).toHaveLength(length);
  });

  it.each([
    [{ approvalRule: "whenever" }, "approvalRule"],
    [{ sandboxScopes: [] }, "sandboxScopes"],
    [{ sandboxRateLimit: "0" }, "sandboxRateLimit"],
    [{ sandboxRateLimit: "" }, "sandboxRateLimit"],
    [{ sandboxMaxKeys: "1001" }, "sandboxMaxKeys"],
    [{ sandboxMaxKeys: "" }, "sandboxMaxKeys"],
    [{ playgroundRateLimit: "2.5" }, "playgroundRateLimit"],
  ])("refuse %j", async (bad, field) => {
    const { error } = settings.ChangeSettings.safeParse({ ...(await read()), ...bad });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});
