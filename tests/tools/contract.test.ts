import { describe, expect, it } from "vitest";
import { tools } from "../../server/tools";
import { descriptor } from "../../server/tools/descriptor";
import type { JsonSchema } from "../../server/tools/json-schema";
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

  it("takes little of a model's context: its schemas say nothing twice", () => {
    const listed = tools.map((tool) => descriptor(tool, false));
    expect(Buffer.byteLength(listed.join(","))).toBeLessThan(56_000);
    for (const text of listed) {
      expect(text).not.toMatch(/9007199254740991/);
      expect(text).not.toMatch(/"format":"[^"]+","pattern"|"pattern":"[^"]+","format"/);
    }
  });

  // Many clients show a model no outputSchema: what only one tool tells is found by its description alone.
  it("names the tool that tells until when a sale lasts", () => {
    const telling = tools.filter(({ outputSchema }) =>
      JSON.stringify(outputSchema).includes("sale_price_effective_date"),
    );
    expect(telling.map(({ name }) => name)).toEqual(["get_offers"]);
    expect(telling[0]!.description).toMatch(/when sales end/);
  });

  it("says what else it takes to see a loyalty programme, and what an unanswered code means", () => {
    const described = (tool: string) => tools.find(({ name }) => name === tool)!;
    expect(described("get_loyalty_program").inputSchema.properties!.product_id!.description).toMatch(/any product/i);
    expect(described("get_promotions").inputSchema.properties!.code!.description).toMatch(/empty without product_id/i);
  });

  it("says of every argument and every field of an answer what it means", () => {
    const silent = (schema: JsonSchema, path: string): string[] => [
      ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) => [
        ...(of.description ? [] : [`${path}.${name}`]),
        ...silent(of, `${path}.${name}`),
      ]),
      ...(schema.items ? silent(schema.items, `${path}[]`) : []),
    ];
    const all = tools.flatMap(({ name, inputSchema, outputSchema }) => [
      ...silent(inputSchema, `${name}.in`),
      ...silent(outputSchema, `${name}.out`),
    ]);
    expect(all).toEqual([]);
  });

  it.each([
    ["get_product", ["product", "shipping", "price"], /shipping/],
    ["get_offers", ["offers", "shipping", "price"], /shipping/],
    ["get_store_info", ["data_as_of"], /changed/],
    ["check_inventory", ["items", "data_as_of"], /counts/],
  ])("says of %s's %s what it is there, not what it is elsewhere", (tool, path, meaning) => {
    const { outputSchema } = tools.find(({ name }) => name === tool)!;
    const at = path.reduce<JsonSchema>((schema, name) => (schema.items ?? schema).properties![name]!, outputSchema);
    expect(at.description).toMatch(meaning);
  });

  it("closes arguments and the answer of get_loyalty_program, and leaves other answers open to further fields", () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      expect(inputSchema.additionalProperties).toBe(false);
      expect(JSON.stringify(outputSchema).includes('"additionalProperties":false')).toBe(
        name === "get_loyalty_program",
      );
    }
  });

  it("says of a field of an answer at length once, and again where its object has other fields", () => {
    const { properties } = tools.find(({ name }) => name === "get_offers")!.outputSchema;
    const { price, total_price } = properties!.offers!.items!.properties!;
    expect(price!.properties!.amount!.description).toMatch(/minor units: 1250/);
    expect(total_price!.properties!.amount).toEqual({ description: "In minor units.", type: "integer" });
    expect(total_price!.description).toMatch(/shipping/);
  });
});
