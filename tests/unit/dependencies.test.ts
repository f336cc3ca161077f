// What is installed with us: pinned, with a reason, in use, and under a licence that lets us ship it.

import { execSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** The files in a folder and below. */
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true }).map((path) => `${folder}/${path}`);

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  resolved?: string;
  integrity?: string;
}
const manifest = JSON.parse(read("package.json"));
const locked: Record<string, Locked> = JSON.parse(read("package-lock.json")).packages;
const scripts = Object.values<string>(manifest.scripts).join("\n");
const wanted: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };
const names = Object.keys(wanted);

/** The names in the first column of the decisions' tables, and whatever stands in backticks there; `*` ends a family. */
const reasons = filesIn("docs/decisions").flatMap((path) => {
  const text = read(path);
  const columns = [...text.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => cell!.replace(/\(.*\)/, "").split(","));
  return [...columns, ...[...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)].map((name) => name.trim());
});
const covers = (reason: string, name: string) =>
  reason === name || (reason.endsWith("*") && name.startsWith(reason.slice(0, -1)));

describe("dependencies", () => {
  it("are pinned to the version that the lockfile has", () => {
    const pinned = Object.fromEntries(names.map((name) => [name, locked[`node_modules/${name}`]?.version]));
    expect(wanted).toEqual(pinned);
    expect(JSON.stringify(manifest.overrides)).not.toMatch(/"[\^~]|"\*"/);
  });

  it("come from the registry alone, with a checksum each, and from no address of the lockfile's own", () => {
    const entries = Object.entries(locked).filter(([path]) => path !== "");
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(entries.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"))).toEqual([]);
  });

  it("each have a reason in docs/decisions", () => {
    expect(names.filter((name) => !reasons.some((reason) => covers(reason, name)))).toEqual([]);
  });

  it("have no reason left over from one that is gone", () => {
    const table = read("docs/decisions/0003-dependencies.md").split("\n|---|---|\n")[1]!;
    const kept = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => cell!.replace(/\(.*\)/, "").split(","));
    for (const reason of kept.map((name) => name.trim()))
      expect(
        names.some((name) => covers(reason, name)),
        reason,
      ).toBe(true);
    expect(new Set(kept).size).toBe(kept.length);
  });

  it("are all in use", () => {
    const sources = ["app", "server", "db", "tests", "bench"]
      .flatMap(filesIn)
      .filter((path) => /\.(tsx?|mjs|css)$/.test(path));
    const text = [...sources, "vite.config.ts", "tailwind.config.ts", "remix.config.js"].map(read).join("\n");
    const isImported = (name: string) => new RegExp(`["']${name.replaceAll(".", "\\.")}["'/]`).test(text);
    // Its parts, one a platform, are imported by their names.
    const isPart = (name: string) => text.includes(`\`@${name}/`);
    const isRun = (name: string) => {
      const { bin = {} } = JSON.parse(read(`node_modules/${name}/package.json`));
      const commands = typeof bin === "string" ? [name] : Object.keys(bin);
      return commands.some((command) => new RegExp(`(^|[ "])${command}( |$)`, "m").test(scripts));
    };
    /** Types of a package that we have, or of the runtime. */
    const isTypes = (name: string) => name.startsWith("@types/") && (name === "@types/node" || name.slice(7) in wanted);
    expect(names.filter((name) => ![isImported, isPart, isRun, isTypes].some((is) => is(name)))).toEqual([]);
  });
});

/** SPDX. Code: permissive, or of a copyleft that ends at its own files. Data and fonts: also those that ask for a name. */
const allowed = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  ...["Unlicense", "Python-2.0", "MPL-2.0", "OFL-1.1", "CC-BY-3.0", "CC-BY-4.0"],
]);

/** Where the package says it in another way than npm knows: read by a person, at this version. */
const readByHand: Record<string, string> = {
  "require-like@0.1.2": "MIT", // its file License, and its Readme
  "jsonify@0.0.1": "Unlicense", // "Public Domain"
};

function licenceOf(path: string, { license, version }: Locked): string | undefined {
  const name = path.split("node_modules/").at(-1)!;
  const byHand = readByHand[`${name}@${version}`];
  if (byHand || license) return byHand ?? license;
  // The form of before 2014, which the lockfile does not take over.
  const { licenses } = JSON.parse(read(`${path}/package.json`)) as { licenses?: { type: string }[] };
  return licenses?.map(({ type }) => type).join(" OR ");
}

/** `A OR B` needs one of them, `A AND B` both. */
const isAllowed = (licence = "") =>
  licence
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => allowed.has(one)));

describe("licences", () => {
  it("of everything that is shipped, on every platform, are ones that we may ship", () => {
    const shipped = Object.entries(locked).filter(([path, { dev }]) => path !== "" && !dev);
    expect(shipped.length).toBeGreaterThan(500);
    const others = shipped
      .map(([path, entry]) => [path, licenceOf(path, entry)] as const)
      .filter(([, licence]) => !isAllowed(licence));
    expect(others).toEqual([]);
  });

  it.each(["GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-2.0", "UNLICENSED", "SEE LICENSE IN x", "", undefined])(
    "%s is not one",
    (licence) => expect(isAllowed(licence)).toBe(false),
  );
});

describe("the bill of materials", () => {
  it("names everything that is installed with its version, and says what is there for development alone", () => {
    const [command] = manifest.scripts.sbom.split(" > ");
    const made = execSync(command, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const { bomFormat, components } = JSON.parse(made) as {
      bomFormat: string;
      components: { group?: string; name: string; version: string; properties: { name: string }[] }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    const isForDevelopment = new Map(
      components.map(({ group, name, version, properties }) => [
        `${group ? `${group}/` : ""}${name}@${version}`,
        properties.some((property) => property.name === "cdx:npm:package:development"),
      ]),
    );
    for (const [name, version] of Object.entries(wanted))
      expect(isForDevelopment.get(`${name}@${version}`), name).toBe(Boolean(locked[`node_modules/${name}`]!.dev));
  });
});
