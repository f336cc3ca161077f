import { expect, it, vi } from "vitest";
import { accepts } from "../../server/mcp/accept";
import { clientReport } from "../../server/mcp/meta";

const report = (_meta: Record<string, unknown>, userAgent?: string) => clientReport({ _meta }, userAgent);

it("what a client says of itself is one line of 100 characters that keeps its direction", () => {
  expect(report({}, "a\u0000\r\nb \u202Egpj.exe\ud800").clientName).toBe("a b  gpj.exe");
  expect(report({ "x/userLocation": { city: "c".repeat(101) } }).city).toBe("c".repeat(100));
  expect(report({ "x/userLocation": { city: " \n " } }).city).toBeUndefined();
});

it("a client that says the same under ten thousand names is heard of fifty", () => {
  const read = vi.spyOn(Intl, "getCanonicalLocales");
  const names = Array.from({ length: 10_000 }, (_, i) => [`${i}/locale`, "!"]);
  expect(report(Object.fromEntries([...names, ["x/locale", "de"]])).locale).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(50);
  read.mockRestore();
  expect(report(Object.fromEntries([...names.slice(0, 49), ["x/locale", "de"]])).locale).toBe("de");
});

it("a region or city that may hold coordinates or a postal code is none", () => {
  const place = (region: unknown, city: unknown) => {
    const { region: kept, city: keptCity } = report({ "x/userLocation": { country: "IE", region, city } });
    return [kept, keptCity];
  };
  for (const told of ["53.3498,-6.2603", "D02 AF30", "Dublin 2", "٥٣٫٣", "８０３３１ München", "lat:53.3"])
    expect(place(told, told), told).toEqual([undefined, undefined]);
  expect(place("Leinster", "53.3,-6.2")).toEqual(["Leinster", undefined]);
  expect(place("80331", "München")).toEqual([undefined, "München"]);
});

it("a locale, session or subject that is longer than any is none", () => {
  const long = "en-variant1-variant2-variant3-variant4";
  expect(Intl.getCanonicalLocales(long)).toHaveLength(1);
  expect(report({ "x/locale": long, "x/session": "s".repeat(1001), "x/subject": "s".repeat(1000) })).toMatchObject({
    locale: undefined,
    session: undefined,
    subject: "s".repeat(1000),
  });
});

it("what an Accept header says of a type itself counts before what it says of a range, in either order", () => {
  const [json, range] = ["application/json", "application/*"];
  for (const header of [`${range}, ${json};q=0`, `${json};q=0, ${range}`]) expect(accepts(header, json)).toBe(false);
  for (const header of [`${range};q=0, ${json}`, `${json}, ${range};q=0`]) expect(accepts(header, json)).toBe(true);
});

it("what an Accept header quotes is no type, also where the quotation never ends", () => {
  const types = "application/json, text/event-stream";
  for (const end of ["", "\\", '\\"', '\\\\\\"'])
    expect(accepts(`text/html;a="b, ${types}, c${end}`, "application/json"), end).toBe(false);
  expect(accepts(`text/html;a="b\\\\", ${types}`, "application/json")).toBe(true);
});
