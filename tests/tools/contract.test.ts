import { describe, expect, it } from "vitest";
import { tools } from "../../server/tools";
import { itKeepsTheContract } from "../support/contract";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database);

for (const tool of tools) itKeepsTheContract(tool, database, server);

describe("the list of tools", () => {
  it("has these eleven, each once", () => {
    expect(tools.map((tool) => tool.name)).toEqual([
      "search_products",
      "get_product",
      "lookup_products",
      "list_stores",
      "get_store_info",
      "list_categories",
      "search_store_policies",
      "get_offers",
      "get_promotions",
      "get_loyalty_program",
      "check_inventory",
    ]);
  });
});
