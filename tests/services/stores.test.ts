import { describe, expect, it } from "vitest";
import * as stores from "../../server/services/stores";
import { testDatabase } from "../support/database";
import { makeReader, makeStore } from "../support/factories";

const database = testDatabase();

describe("stores", () => {
  it("tells a production consumer about a store with AI Discovery on", async () => {
    const store = await makeStore(database);
    const info = await stores.info(database.as(await makeReader(database)), { storeId: store.id });
    expect(info).toMatchObject({ id: store.id, name: store.name, currencies: ["EUR"], capabilities: [] });
  });

  it("answers for an unknown store as for one with AI Discovery off", async () => {
    const off = await makeStore(database, { ai_discovery: false });
    const ctx = database.as(await makeReader(database));
    const told = await stores.info(ctx, { storeId: off.id }).catch((error) => error);
    const unknown = await stores.info(ctx, { storeId: crypto.randomUUID() }).catch((error) => error);
    expect(told.code).toBe("store_not_available");
    expect(told).toEqual(unknown);
  });

  it("pages through the stores by name without gaps or repeats", async () => {
    const made = await Promise.all(Array.from({ length: 7 }, () => makeStore(database, { country: "NZ" })));
    const ctx = database.as(await makeReader(database));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.list(ctx, { country: "NZ", limit: 3, cursor });
      expect(page.totalCount).toBe(7);
      seen.push(...page.stores.map((store) => store.id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(made.map((store) => store.id).toSorted());
  });

  it("finds stores by a part of their name or description, and misspelt names where nothing has the words", async () => {
    const [description, country] = ["Kites and windsocks.", "FJ"];
    const [one, two, off] = await Promise.all([
      makeStore(database, { name: "Quillfeather Paper", country }),
      makeStore(database, { name: "Harbour Kites 50%", country, description }),
      makeStore(database, { name: "Quillfeather Ink", country, ai_discovery: false }),
    ]);
    const ctx = database.as(await makeReader(database));
    const found = async (query: string, limit = 10) => {
      const page = await stores.list(ctx, { country, query, limit });
      return [page.totalCount, ...page.stores.map(({ id }) => id)];
    };
    expect(await found("FEATHER")).toEqual([1, one.id]);
    expect(await found("windsock")).toEqual([1, two.id]);
    expect(await found("50%")).toEqual([1, two.id]);
    expect(await found("5_%")).toEqual([0]);
    expect(await found("quilfeather")).toEqual([1, one.id]);
    expect(await found("zeppelin")).toEqual([0]);
    expect(await found(off.slug)).toEqual([0]);
  });

  it("refuses a slug that is taken", async () => {
    const store = await makeStore(database);
    await expect(makeStore(database, { slug: store.slug })).rejects.toMatchObject({ code: "conflict" });
  });
});
