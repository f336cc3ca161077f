import { describe, expect, it } from "vitest";
import * as policies from "../../server/services/policies";
import { searchStorePolicies } from "../../server/tools/search-store-policies";
import { ask, refused } from "../support/ask";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";

const database = testDatabase();

describe("search_store_policies", () => {
  it("answers with the store's own words and where they stand, and with nothing else", async () => {
    const store = await makeStore(database);
    const returns = {
      question: "What is your return policy?",
      answer: "Unused goods can be returned within 60 days.",
      policy_type: "returns",
      updated_at: "2026-01-12T10:00:00+01:00",
    };
    const payment = {
      question: "Do you take cash?",
      answer: "In our shops.",
      policy_type: "payment",
      source_url: "https://shop.example/pay",
      updated_at: "2026-01-12",
    };
    const input = policies.ReplacePolicies.parse({ storeId: store.id, policies: [returns, payment] });
    await policies.replace(database.as({ kind: "system" }), input);
    const ctx = database.as(await makeReader(database));
    const search = (query: string) => ask(ctx, searchStorePolicies, { store_id: store.id, query });
    expect(await search("can I send it back")).toEqual({
      answers: [{ ...returns, updated_at: "2026-01-12T09:00:00.000Z" }],
    });
    expect(await search("paying in cash")).toEqual({
      answers: [{ ...payment, updated_at: "2026-01-12T00:00:00.000Z" }],
    });
    expect(await search("quantum chromodynamics")).toEqual({ answers: [] });
  });

  it("says when the store has published no policies at all", async () => {
    const store = await makeStore(database);
    const ctx = database.as(await makeReader(database));
    expect(await ask(ctx, searchStorePolicies, { store_id: store.id, query: "returns" })).toEqual({
      answers: [],
      messages: [{ type: "info", code: "no_policies", content: expect.stringMatching(/^This store has published no/) }],
    });
  });

  it("points to get_store_info for opening hours that no policy tells", async () => {
    const store = await makeStore(database);
    const policy = { answer: "By noon.", policy_type: "other", updated_at: "2026-01-12" };
    const publish = (question: string) =>
      policies.replace(
        database.as({ kind: "system" }),
        policies.ReplacePolicies.parse({ storeId: store.id, policies: [{ ...policy, question }] }),
      );
    const ctx = database.as(await makeReader(database));
    const search = (query: string) => ask(ctx, searchStorePolicies, { store_id: store.id, query });
    await publish("Do you repair gear?");
    const hours = { type: "info", code: "opening_hours", content: expect.stringContaining("get_store_info") };
    expect(await search("what time do you open?")).toEqual({ answers: [], messages: [hours] });
    expect(await search("do you take cash")).toEqual({ answers: [] });
    await publish("When is the shop open?");
    expect(await search("what time do you open?")).toEqual({
      answers: [expect.objectContaining({ answer: "By noon." })],
    });
  });

  it("points to get_store_info for a telephone number and the like that no policy tells", async () => {
    const store = await makeStore(database);
    const policy = { question: "Do you repair gear?", answer: "Yes.", policy_type: "other", updated_at: "2026-01-12" };
    const input = policies.ReplacePolicies.parse({ storeId: store.id, policies: [policy] });
    await policies.replace(database.as({ kind: "system" }), input);
    const ctx = database.as(await makeReader(database));
    for (const query of ["phone number", "how can I contact you?", "Telefonnummer"])
      expect(await ask(ctx, searchStorePolicies, { store_id: store.id, query }), query).toEqual({
        answers: [],
        messages: [{ type: "info", code: "contact_point", content: expect.stringContaining("get_store_info") }],
      });
  });

  it.each([
    ["an empty question", { query: " " }, "query"],
    ["a question of more than 200 characters", { query: "x".repeat(201) }, "query"],
    ["more than 10 answers", { query: "returns", limit: 11 }, "limit"],
  ])("refuses %s, by the argument's name", async (_, args, path) => {
    const ctx = database.as(await makeReader(database));
    expect(refused(ctx, searchStorePolicies, { store_id: crypto.randomUUID(), ...args })).toEqual([path]);
  });
});
