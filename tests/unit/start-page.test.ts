// The start page has its own words for the tools; which there are, and what they need, is the tools' to say.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { promises, tools as shown } from "../../app/lib/start-page";
import { tools } from "../../server/tools";
import { check } from "../../server/tools/arguments";

describe("the start page", () => {
  it("has every tool, with its scope, in the order of tools/list", () => {
    expect(shown.map(([name, , scope]) => [name, scope])).toEqual(tools.map(({ name, scope }) => [name, scope]));
  });

  it("has of an error what an answer has", () => {
    const { proof } = promises.find(({ title }) => title.startsWith("Errors"))!;
    const search = tools.find(({ name }) => name === "search_products")!;
    expect(JSON.stringify(check(search, { query: "tent", limit: 900 }).issues)).toContain(proof.replace(": ", ":"));
  });

  it("says how many there are", () => {
    const page = readFileSync(new URL("../../app/routes/_index.tsx", import.meta.url), "utf8");
    const [, told] = /title="(\w+) tools, one endpoint"/.exec(page) ?? [];
    expect(["Ten", "Eleven", "Twelve", "Thirteen"].indexOf(told!) + 10).toBe(tools.length);
  });
});
