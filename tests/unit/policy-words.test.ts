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

  it("asks how long a warranty is, but by when something goes back under it", () => {
    expect(meant("hoe lang heb ik garantie")).toEqual([...meant("when"), ...meant("warranty")]);
    expect(meant("how long do I have to return it under guarantee")).toContain(meant("deadline")[0]);
  });

  it("keeps what is in the gap of a saying", () => {
    expect(termsOf("send climbing gear back").map(({ said }) => said)).toEqual(["", "climbing", "gear"]);
    expect(termsOf("ich schicke die Schuhe zurück").map(({ said }) => said)).toContain("schuhe");
  });

  it("asks for no word of a saying by itself, whatever its ending", () => {
    expect(meant("gift cards")).toEqual(meant("gift"));
    expect(meant("price matching")).toHaveLength(1);
  });
});
