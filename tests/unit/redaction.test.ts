import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { redact, redactText, unmarked } from "../../server/services/redaction";

describe("what is kept of arguments", () => {
  it.each([
    [
      { password: "x", api_key: "y", nested: { Authorization: "z", pin: 1 } },
      { password: "[removed]", api_key: "[removed]", nested: { Authorization: "[removed]", pin: "[removed]" } },
    ],
    [{ query: "mail ada.byrne+x@example.co.uk now" }, { query: "mail [email] now" }],
    ["info@müller.de or müller@beispiel.de or x@例え.jp", "[email] or [email] or [email]"],
    [`use aisle_${"a".repeat(36)} please`, "use [key] please"],
    [`cut short: aisle_${"a".repeat(20)}`, "cut short: [key]"],
    ["sk-proj-abcdefghijklmnop1234", "[key]"],
    ["AKIAIOSFODNN7EXAMPLE", "[key]"],
    [`gh${"p_"}${"a1".repeat(18)}`, "[key]"],
    [`xox${"b-"}123456789012-abcdef`, "[key]"],
    ["Bearer abcdefgh.ijkl", "Bearer [token]"],
    ["Basic YWRhOnNlY3JldA==", "Basic [token]"],
    [
      { credentials: "a", Cookie: "b", clientSecret: "c" },
      { credentials: "[removed]", Cookie: "[removed]", clientSecret: "[removed]" },
    ],
    [
      { IBAN: "a", cvv: 1, ssn: "c" },
      { IBAN: "[removed]", cvv: "[removed]", ssn: "[removed]" },
    ],
    [{ "ada@example.com": 1 }, { "[email]": 1 }],
    [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${"x".repeat(20)}`, "[token]"],
    ["pay with 4111 1111 1111 1111 today", "pay with [card number] today"],
    ["call +353 86 123 4567 4111 1111 1111 1111", "call +353 86 123 4567 [card number]"],
    ["3782 822463 10005 3 times", "[card number] 3 times"],
    ["4111111111111111 or 5555-5555-5555-4444", "[card number] or [card number]"],
    [
      { query: "tent", card_number: 4111111111111111 },
      { query: "tent", card_number: "[card number]" },
    ],
    [
      [378282246310005, -5555555555554444],
      ["[card number]", "-[card number]"],
    ],
    ["-----BEGIN PRIVATE KEY-----\nMIIE", "[private key]"],
  ])("has no secrets: %j", (given, kept) => {
    expect(redact(given)).toEqual(kept);
    expect(unmarked(redact(given)).isWhole).toBe(false);
  });

  it.each([
    [{ store_id: "01a1fcd6-5853-764c-8d09-bea1bb3fa447", limit: 5, cursor: null, in_stock: true }],
    [{ gtin: "00012345600012", query: "tent for two under 400 €", price: { max: { amount: 40000, currency: "EUR" } } }],
    ["4111 1111 1111 1112 is no card number"],
    [[4111111111111112, 41111111111111, 1796130325123]],
    [["a", "b"]],
    [undefined],
  ])("is what was sent where it is harmless: %j", (given) => {
    expect(redact(given)).toEqual(given);
    expect(unmarked(redact(given)).isWhole).toBe(true);
  });

  it("is whole no more where anything of it was shortened, replaced or left out, in whatever depth or name", () => {
    const deep = Array.from({ length: 9 }).reduce<unknown>((inner) => ({ inner }), 1);
    const long = "x".repeat(301);
    for (const given of [
      long,
      { [long]: 1 },
      deep,
      Array.from({ length: 30 }, () => long),
      "\ud800",
      Array(21).fill(1),
    ])
      for (const asked of [given, { filters: [given] }]) expect(unmarked(redact(asked)).isWhole).toBe(false);
  });

  it("is cut where it is long, and says so", () => {
    expect(redactText("x".repeat(5000))).toBe(`${"x".repeat(300)}… (5000 characters)`);
    expect(redact(Array.from({ length: 30 }, (_, i) => i))).toEqual([...Array(20).keys(), "[10 more]"]);
    const wide = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]));
    expect(Object.keys(redact(wide) as object)).toHaveLength(21);
    const big = Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => "y".repeat(299)));
    expect(redact(big)).toBe("[too large to keep: more than 8000 characters]");
    let deep: unknown = 1;
    for (let i = 0; i < 60; i++) deep = { deep };
    expect(JSON.stringify(redact(deep))).toContain("[nested too deep to keep]");
  });

  it("says that it is cut also where a secret was long, and cuts no character in half", () => {
    expect(redactText(`-----BEGIN KEY-----${"x".repeat(1000)}`)).toBe("[private key]… (1019 characters)");
    expect(redactText(`${"x".repeat(299)}😀x`)).toBe(`${"x".repeat(299)}\ufffd… (302 characters)`);
  });

  it("is told apart from the marks of what was cut, at any depth", () => {
    const list = Array.from({ length: 30 }, (_, i) => i);
    const record = Object.fromEntries(list.map((i) => [`k${i}`, i]));
    const kept = Object.fromEntries(list.slice(0, 20).map((i) => [`k${i}`, i]));
    expect(unmarked(redact({ filters: { "a/b": list }, ids: [record], few: [1] }))).toEqual({
      value: { filters: { "a/b": list.slice(0, 20) }, ids: [kept], few: [1] },
      cut: { '["filters","a/b"]': 10, '["ids","0"]': 10 },
      isWhole: false,
    });
  });

  it("has no marks but our own: what a caller wrote in their form stays", () => {
    for (const given of [["[5 more]"], { "…": "[5 more]" }, [...Array(19).keys(), "[5 more]"], "[5 more]", null])
      expect(unmarked(redact(given))).toEqual({ value: given, cut: {}, isWhole: true });
    expect(unmarked(redact([...Array(20).keys(), "[5 more]"])).cut).toEqual({ "[]": 1 });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
        const { value, cut, isWhole } = unmarked(redact(given));
        if (Object.keys(cut).length === 0) expect(value).toEqual(redact(given));
        if (isWhole) expect(value).toEqual(given);
      }),
    );
  });

  it("never has a secret that begins before the cut, and is always fit for PostgreSQL", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 700 }), fc.nat(320), (noise, at) => {
        const key = `aisle_${"Z".repeat(36)}`;
        const kept = redactText(`${noise.slice(0, at)} ${key} ${noise.slice(at)}`);
        expect(kept).not.toContain("ZZZZZZZZ");
        expect(kept).not.toContain("\0");
        expect(kept).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

it("is looked through no further than it can be kept", () => {
  const matched = vi.spyOn(String.prototype, "matchAll");
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`k${i}`, Array.from({ length: 20 }, () => "1 ".repeat(300))]),
  );
  expect(redact(many)).toBe("[too large to keep: more than 8000 characters]");
  // Twice a text, and once a name.
  expect(matched.mock.calls.length).toBeLessThan(100);
  matched.mockRestore();
});
