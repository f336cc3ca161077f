import { describe, expect, it } from "vitest";
import { createLimits } from "../../server/limits";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";

const database = testDatabase();

describe("a consumer's limit", () => {
  it("gives each request its own place, though more come in one turn than any batch holds", async () => {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database.sql);
    const allowed = await Promise.all(Array.from({ length: 2_500 }, () => limits.consumer(id, 10_000)));
    const places = allowed.map(({ remaining }) => remaining).toSorted((a, b) => b - a);
    expect(places).toEqual(Array.from({ length: 2_500 }, (_, i) => 9_999 - i));
  });
});
