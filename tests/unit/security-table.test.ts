// SECURITY.md says of every requirement of OWASP ASVS 5.0.0, levels 1 and 2, where it stands; what is met names its test.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), "utf8");

/**
 * How many requirements each section of the standard has at levels 1 and 2, and which of those are of level 1. Of these
 * levels the numbers run from 1 without a gap: 253 in all, 70 of level 1.
 */
const standard: Record<string, [both: number, ofLevel1: number[]]> = {
  ...{ "1.1": [2, []], "1.2": [9, [1, 2, 3, 4, 5]], "1.3": [11, [1, 2]], "1.4": [3, []], "1.5": [2, [1]] },
  ...{ "2.1": [3, [1]], "2.2": [3, [1, 2]], "2.3": [4, [1]], "2.4": [1, []] },
  ...{ "3.2": [2, [1, 2]], "3.3": [4, [1]], "3.4": [6, [1, 2]], "3.5": [5, [1, 2, 3]], "3.7": [2, []] },
  ...{ "4.1": [3, [1]], "4.2": [1, []], "4.3": [2, []], "4.4": [4, [1]] },
  ...{ "5.1": [1, []], "5.2": [3, [1, 2]], "5.3": [2, [1, 2]], "5.4": [3, []] },
  ...{ "6.1": [3, [1]], "6.2": [12, [1, 2, 3, 4, 5, 6, 7, 8]], "6.3": [4, [1, 2]], "6.4": [4, [1, 2]] },
  ...{ "6.5": [5, []], "6.6": [3, []], "6.8": [4, []] },
  ...{ "7.1": [3, []], "7.2": [4, [1, 2, 3, 4]], "7.3": [2, []], "7.4": [5, [1, 2]], "7.5": [2, []], "7.6": [2, []] },
  ...{ "8.1": [2, [1]], "8.2": [3, [1, 2]], "8.3": [1, [1]], "8.4": [1, []] },
  ...{ "9.1": [3, [1, 2, 3]], "9.2": [4, [1]] },
  ...{ "10.1": [2, []], "10.2": [2, []], "10.3": [4, []], "10.4": [11, [1, 2, 3, 4, 5]] },
  ...{ "10.5": [5, []], "10.6": [2, []], "10.7": [3, []] },
  ...{ "11.1": [2, []], "11.2": [3, []], "11.3": [3, [1, 2]], "11.4": [4, [1]], "11.5": [1, []], "11.6": [1, []] },
  ...{ "12.1": [3, [1]], "12.2": [2, [1, 2]], "12.3": [4, []] },
  ...{ "13.1": [1, []], "13.2": [5, []], "13.3": [2, []], "13.4": [5, [1]] },
  ...{ "14.1": [2, []], "14.2": [4, [1]], "14.3": [3, [1]] },
  ...{ "15.1": [3, [1]], "15.2": [3, [1]], "15.3": [7, [1]] },
  ...{ "16.1": [1, []], "16.2": [5, []], "16.3": [4, []], "16.4": [3, []], "16.5": [3, []] },
  ...{ "17.1": [1, []], "17.2": [4, []], "17.3": [2, []] },
};

const rows = [...read("SECURITY.md").matchAll(/^\| (V[\d.]+) \| (\d) \| (.+?) \| (met|waived|n\/a) \| (.+) \|$/gm)].map(
  ([, id, level, name, standing, told]) => ({ id: id!, level, name, standing, told: told! }),
);

/** The tests and groups that a file gives to vitest, by the names in its source; none that is skipped. */
function testsOf(path: string): (string | undefined)[] {
  const given = /\b(?:it|describe)(?:\.each(?:<[^(]*>)?\([\s\S]*?\))?\(\s*"((?:[^"\\\n]|\\.)*)"/g;
  return [...read(path).matchAll(given)].map(([, name]) => name);
}

describe("the table of ASVS", () => {
  it("has a row for each requirement of levels 1 and 2, in the standard's order, and no other", () => {
    const all = Object.entries(standard).flatMap(([section, [both, ofLevel1]]) =>
      Array.from({ length: both }, (_, i) => [`V${section}.${i + 1}`, ofLevel1.includes(i + 1) ? "1" : "2"]),
    );
    expect([all.length, all.filter(([, level]) => level === "1").length]).toEqual([253, 70]);
    expect(rows.map(({ id, level }) => [id, level])).toEqual(all);
  });

  it("names for what is met a test that there is, by file and name", () => {
    const missing = rows.filter(({ standing, told }) => {
      if (standing !== "met") return false;
      const [, path, name] = /^`(tests\/[\w./-]+\.test\.tsx?)`: (.+)$/.exec(told) ?? [];
      return !path || !existsSync(at(path)) || !testsOf(path).includes(name!);
    });
    expect(missing).toEqual([]);
  });

  it("gives a reason for what is waived or does not apply", () => {
    const bare = rows.filter(({ standing, told }) => standing !== "met" && !/\w{2,}/.test(told));
    expect(bare).toEqual([]);
  });

  it("is summed up rightly", () => {
    const count = (standing: string) => rows.filter((row) => row.standing === standing).length;
    const sum = `${rows.length} requirements: ${count("met")} met, ${count("waived")} waived, ${count("n/a")} not applicable.`;
    expect(read("SECURITY.md")).toContain(sum);
  });
});

describe("the source", () => {
  it("no code is made of text: neither eval, nor Function, nor HTML set by hand", () => {
    const files = ["app", "server", "db"].flatMap((folder) =>
      readdirSync(at(folder), { recursive: true })
        .map((path) => `${folder}/${path}`)
        .filter((path) => /\.tsx?$/.test(path)),
    );
    const forbidden =
      /\beval\(|\bnew Function\b|dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write/;
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((path) => forbidden.test(read(path)))).toEqual([]);
  });
});
