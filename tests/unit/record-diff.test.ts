// What the audit's page says that an act changed.
import { describe, expect, it } from "vitest";
import { fieldName } from "../../app/desk/field-names";
import { changesOf, ENTRIES, type Fields, itemChanges } from "../../app/desk/record-diff";

const told = (before: unknown, after: unknown) =>
  changesOf(before, after).map(({ name, before, after, isAlone }) => [name, before, after, isAlone]);

describe("what changed between two records", () => {
  it("is what differs, field by field, also of records in them", () => {
    expect(
      told(
        { name: "Tarn", country: "IE", contactPoint: { email: "a@x.example", phone: "1" } },
        { name: "Tarn & Timber", country: "IE", contactPoint: { phone: "1", url: "https://x.example" } },
      ),
    ).toEqual([
      ["name", "Tarn", "Tarn & Timber", false],
      ["contactPoint.email", "a@x.example", undefined, false],
      ["contactPoint.url", undefined, "https://x.example", false],
    ]);
  });

  it("is nothing where nothing stands for nothing", () => {
    expect(told({ logo: null, legalName: "", tags: [], at: {} }, { logo: "", legalName: null, tags: null })).toEqual(
      [],
    );
    expect(told(null, undefined)).toEqual([]);
  });

  it("never says of a field that one of them does not tell of that it went or came", () => {
    expect(told({ id: "7", state: "sandbox" }, { state: "revoked" })).toEqual([["state", "sandbox", "revoked", false]]);
    expect(told({ name: "A" }, { name: "A", rules: ["b"] })).toEqual([["rules", undefined, ["b"], true]]);
  });

  it("is all there is of one alone, and of a list that is all that was recorded", () => {
    expect(told(null, { name: "A", scopes: ["b"] })).toEqual([
      ["name", undefined, "A", true],
      ["scopes", undefined, ["b"], true],
    ]);
    expect(told([{ name: "A" }], [{ name: "B" }])).toEqual([[ENTRIES, [{ name: "A" }], [{ name: "B" }], false]]);
  });
});

describe("what changed between two lists of records", () => {
  const kinds = (before: Fields[], after: Fields[]) =>
    itemChanges(before, after).map(({ kind, title, changes }) => [kind, title, changes.map(({ name }) => name)]);

  it("is which went, which came, and what changed in those that stayed, wherever they stand", () => {
    const [a, b, c] = ["A", "B", "C"].map((promotionId) => ({ promotionId, longTitle: `Promotion ${promotionId}` }));
    expect(kinds([a!, b!], [c!, { ...a!, stackable: true }])).toEqual([
      ["added", "Promotion C", ["promotionId"]],
      ["changed", "Promotion A", ["stackable"]],
      ["removed", "Promotion B", ["promotionId"]],
    ]);
    expect(kinds([a!, b!], [b!, a!])).toEqual([]);
  });

  it("calls what has no name by all that it says, and says nothing more of it", () => {
    const [early, late] = ["09:00", "10:00"].map((opens) => ({ day: "Monday", opens, closes: 18 }));
    expect(kinds([early!], [late!])).toEqual([
      ["added", "Monday, 10:00, 18", []],
      ["removed", "Monday, 09:00, 18", []],
    ]);
  });

  it("leaves out where they are kept, and takes two of one name for two", () => {
    expect(kinds([{ id: "1", storeId: "2", name: "A" }], [{ name: "A" }])).toEqual([]);
    expect(kinds([{ name: "A" }], [{ name: "A" }, { name: "A", perks: ["b"] }])).toEqual([["added", "A", ["perks"]]]);
  });
});

it.each([
  ["sandboxRateLimit", "Sandbox: requests per minute"],
  ["thresholdPoints", "Threshold points"],
  ["contactPoint.email", "Contact point: email"],
  ["termsUrl", "Terms URL"],
  ["url", "URL"],
  ["percent_off", "Percent off"],
  ["toString", "To string"],
])("a field %s is called %s", (name, words) => {
  expect(fieldName(name)).toBe(words);
});
