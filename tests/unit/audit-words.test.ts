// Every act that is recorded anywhere has words.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { areas, targetKinds, words, wordsOf, wordsOfAct } from "../../server/services/audit-words";

const services = new URL("../../server/services/", import.meta.url);
const sources = readdirSync(services, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && name !== "audit-words.ts")
  .map((name) => ({ name, text: readFileSync(new URL(name, services), "utf8") }));
const nouns = areas.join("|");

/** What looks like an action, in files that write to the audit. */
const recorded = (text: string): string[] => {
  if (!/audit\.record\(|insert into audit|audit\.Action/.test(text)) return [];
  const named = [...text.matchAll(/\baction:\s*["'`]([^"'`]+)["'`]/g)].map(([, action]) => action!);
  const other = [...text.matchAll(new RegExp(`["'\`]((?:${nouns})(?:\\.[a-z_]+)+)["'\`]`, "g"))].map(
    ([, action]) => action!,
  );
  return [...named, ...other];
};

describe("the words of the audit", () => {
  it("are there for every act that a service records", () => {
    expect(sources.flatMap(({ text }) => recorded(text)).length).toBeGreaterThan(60);
    const without = sources.flatMap(({ name, text }) =>
      recorded(text)
        .filter((action) => !Object.hasOwn(words, action))
        .map((action) => `${name}: ${action}`),
    );
    expect(without).toEqual([]);
  });

  it("have a kind of target in the filter for each that is recorded, and for no other", () => {
    const kinds = sources.flatMap(({ text }) =>
      [...text.matchAll(/\btarget: \["([a-z_]+)",/g)].map(([, kind]) => kind),
    );
    expect([...new Set(kinds)].toSorted()).toEqual([...targetKinds]);
  });

  it("say of an act what it was where its name says more or less", () => {
    const said = (action: string, given: { before?: unknown; after?: unknown } = {}) =>
      wordsOfAct({ action, before: given.before ?? null, after: given.after ?? null });
    expect([said("account.sign_up"), said("account.sign_up", { after: { taken: true } })]).toEqual([
      ...["signed up as {target}", "tried to sign up with the address of {target}"],
    ]);
    const [ofOne, ofNone] = ["sandbox", "under_review"].map((state) => said("consumer.revoke", { before: { state } }));
    expect(ofOne).toBe("revoked the access of {target}");
    expect(ofNone).toBe("left as the last owner, which ended the application of {target}");
  });

  it("stand in the order of the alphabet, name the target once at most, and end in no full stop", () => {
    expect(Object.keys(words)).toEqual(Object.keys(words).toSorted());
    for (const [action, text] of Object.entries(words)) {
      expect(text.split("{target}").length, action).toBeLessThanOrEqual(2);
      expect(text, action).toMatch(/^[a-z].*[^.]$/);
    }
  });

  it("say what an act of an earlier release was called", () => {
    expect(wordsOf("thing.turn")).toBe("did “thing.turn” to {target}");
    expect(wordsOf("toString")).toContain("toString");
  });
});
