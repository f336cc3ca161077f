// The command line's `import`, as an operator runs it.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../support/aisle";
import { TEST_SECRET, testDatabase } from "../support/database";
import { makeStore } from "../support/factories";
import { stored, tsv } from "../support/feeds/load";
import { makeFolder } from "../support/folder";

const database = testDatabase();

const aisle = commandLine(() => ({
  NODE_ENV: "production",
  DATABASE_URL: database.url,
  SECRET_KEY: TEST_SECRET,
}));

describe("a file that the command line imports", () => {
  it("is reported with each row that it could not take, also when it is refused whole", async () => {
    // A store takes one file at a time, so each of the two has a store of its own.
    const [one, other] = [await makeStore(database), await makeStore(database)];
    const file = join(makeFolder(), "feed.tsv");
    writeFileSync(file, tsv([{ id: "1", price: "free", link: "nowhere" }, { id: "2", price: "" }, { id: "3" }]));
    const [text, json] = await Promise.all([
      aisle("import", file, "--store", one.id),
      aisle("import", file, "--store", other.id, "--json"),
    ]);
    const why = "2 of 3 rows are bad, more than half. Fix them, and send the file again.";
    for (const { code, stderr } of [text, json]) expect([code, stderr]).toEqual([1, `${why}\n`]);
    expect(text.stdout.replace(/[\d.]+ s\./, "0 s.").split("\n")).toEqual([
      "0 of 3 rows loaded as 0 products (tsv), 2 rejected, 0 warnings, 0 vanished, in 0 s.",
      '  line 2  error  link: is not an http(s) address of at most 2,000 characters, or has a user name in it ("nowhere")',
      '  line 2  error  price: is not a price such as 12.50 EUR ("free")',
      "  line 3  error  price: is missing",
      `  line 0  error  file: ${why} ("feed.tsv")`,
      "",
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      rejected: 2,
      issues: [{ line: 2, field: "link", value: "nowhere" }, { line: 2, field: "price" }, { line: 3 }, { line: 0 }],
    });
    for (const { id } of [one, other]) expect((await stored(database, id)).products).toEqual([]);
  });

  it("is refused in words where it cannot be opened, and leaves nothing under way", async () => {
    const store = await makeStore(database);
    // As root, who may read any file, a socket is what cannot be.
    const path = join(makeFolder(), "feed.tsv");
    const socket = createServer().listen(path);
    await once(socket, "listening");
    const { code, stderr } = await aisle("import", path, "--store", store.id);
    socket.close();
    expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringContaining(`${path} cannot be read: ENXIO`)]]);
    expect(await database.sql`select from feed_files where store_id = ${store.id}`).toHaveLength(0);
    const none = await aisle("import", join(path, "none.tsv"), "--store", store.id);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("none.tsv")]);
  });
});
