// The command line's `stock`, as an operator runs it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as inventory from "../../server/services/inventory";
import { commandLine } from "../support/aisle";
import { TEST_SECRET, testDatabase } from "../support/database";
import { makeReader } from "../support/factories";
import { makeStoreWith } from "../support/feed";
import { makeFolder } from "../support/folder";

const database = testDatabase();

const aisle = commandLine(() => ({ NODE_ENV: "production", DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET }));

function file(content: unknown): string {
  const path = join(makeFolder(), "stock.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

it("a store's stock is what the file says, whole; one that is not right changes nothing, and is told where", async () => {
  const store = await makeStoreWith(database, [{ id: "lamp" }]);
  const locations = [{ location_id: "shop", name: "Shop", pickup: true }];
  const right = { locations, levels: [{ variant_id: "lamp", location_id: "shop", quantity: 3 }] };
  const loaded = await aisle("stock", file(right), "--store", store.slug, "--json");
  expect(JSON.parse(loaded.stdout)).toEqual({ locations: 1, levels: 1, unknown: 0 });
  const stray = [...right.levels, { variant_id: "lamp-2", location_id: "shop", quantity: 1 }];
  expect((await aisle("stock", file({ locations, levels: stray }), "--store", store.slug)).stdout).toBe(
    "2 levels at 1 location.\nOf ids that the catalogue does not have: 1. No agent is told of these.\n",
  );

  const levels = [
    { variant_id: "lamp", location_id: "shop", quantity: -1 },
    { variant_id: "lamp", location_id: "cellar", quantity: 1 },
  ];
  const refused = [
    await aisle("stock", file({ locations, levels }), "--store", store.slug),
    await aisle("stock", file({ locations, levels: right.levels, more: 1 }), "--store", store.slug),
    await aisle("stock", file([]), "--store", store.slug),
    await aisle("stock", file("{"), "--store", store.slug),
    await aisle("stock", "/nowhere.json", "--store", store.slug),
  ];
  expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  const told = refused.map(({ stderr }) => stderr);
  expect(told[0]).toMatch(/^Nothing was changed: the file is not right\.\n {2}levels\.0\.quantity: /);
  expect(told[1]).toContain("more");
  expect(told[2]).toMatch(/locations: /);
  expect(told[3]).toContain("is no JSON");
  expect(told[4]).toBe("There is no file /nowhere.json.\n");

  const reader = database.as(await makeReader(database, { scopes: ["inventory:read"] }));
  const { items } = await inventory.check(reader, { storeId: store.id, items: [{ productId: "lamp", quantity: 1 }] });
  expect(items).toMatchObject([{ quantity: 3, locations: [{ location_id: "shop", quantity: 3 }] }]);
});
