// A checkout may lie in any folder, one with a space or an umlaut in its name as well.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("no path of a file is read off an address as it is written there, with its %20", () => {
  const sources = ["app", "server", "db", "tests", "bench", "."].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== ".", encoding: "utf8" })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  );
  expect(sources.length).toBeGreaterThan(500);
  const written = /new URL\([^()]*import\.meta\.url\)\.pathname/;
  expect(sources.filter((name) => written.test(readFileSync(join(root, name), "utf8")))).toEqual([]);
});
