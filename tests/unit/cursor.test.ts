// What a cursor is bound to: the query it came from, and the form that its key has in this release.
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../server/services/cursor";

const signer = { secretKeys: ["secret".repeat(6)] } as const;
const from = new Date("2026-10-01T00:00:00Z");
const query = { query: "tent", from, limit: 10, view: "compact" };
const cursor = encodeCursor(signer, query, ["a", 1]);
const read = (other: object, types: Parameters<typeof decodeCursor>[2] = ["string", "number"]) =>
  decodeCursor(signer, { ...query, ...other, cursor }, types);

describe("a cursor", () => {
  it("goes on from where it stands, also by pages of another length and in another view", () => {
    expect(read({})).toEqual(["a", 1]);
    expect(read({ limit: 3, view: "full" })).toEqual(["a", 1]);
  });

  it("belongs to its query to the word, and to the moment", () => {
    const refused = expect.objectContaining({ code: "invalid_arguments" });
    expect(() => read({ query: "tents" })).toThrow(refused);
    expect(() => read({ from: new Date(from.getTime() + 1) })).toThrow(refused);
    expect(() => read({ to: from })).toThrow(refused);
  });

  it("of a release whose keys had another form is not one of ours", () => {
    const refused = expect.objectContaining({ code: "cursor_invalid" });
    expect(() => read({}, ["string"])).toThrow(refused);
    expect(() => read({}, ["string", "number", "string"])).toThrow(refused);
    expect(() => read({}, ["string", "string"])).toThrow(refused);
    const open = encodeCursor(signer, query, ["a", null]);
    expect(decodeCursor(signer, { ...query, cursor: open }, ["string", "number?"])).toEqual(["a", null]);
    expect(() => decodeCursor(signer, { ...query, cursor: open }, ["string", "number"])).toThrow(refused);
  });
});
