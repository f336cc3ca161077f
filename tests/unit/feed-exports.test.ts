// What rows of a shop system's export take over from others.
import { describe, expect, it } from "vitest";
import { DelimitedReader } from "../../server/services/feeds/delimited";
import { type Fields, Inheritance } from "../../server/services/feeds/export-rows";
import { Refusal } from "../../server/services/feeds/report";
import { shopify, woocommerce } from "../support/feeds/exports";

const site = "https://shop.example";

describe("what rows take over from others", () => {
  it("is no more than a file may have", () => {
    const inheritance = new Inheritance();
    const said: Fields = new Map([["description", ["x".repeat(1024 * 1024)]]]);
    const pass = () => inheritance.pass(said, new Map(), ["description"]);
    for (let i = 0; i < 2_048; i++) pass();
    expect(pass).toThrow(Refusal);
  });

  it("is a description that is read once, where it is long, and cut where more of it is kept nowhere", () => {
    const long = `<p>${"heavy cotton ".repeat(5_000)}</p>`;
    const first = { Handle: "tee", Title: "Tee", "Body (HTML)": long, "Option1 Name": "Size", "Option1 Value": "S" };
    const rows = [first, { Handle: "tee", "Option1 Value": "L" }];
    const variable = { ID: "1", Type: "variable", Name: "Tee", Description: long };
    const variation = { ID: "2", Type: "variation", Name: "Tee - S", Parent: "id:1" };
    for (const content of [shopify(rows), woocommerce([variable, variation])]) {
      const reader = new DelimitedReader(content.slice(0, content.indexOf("\n") + 1), "export.csv", site);
      const [description = ""] = [...reader.write(content), ...reader.end()].at(-1)!.fields.get("description")!;
      expect([description.length, String(description).slice(0, 12)]).toEqual([10_001, "heavy cotton"]);
    }
  });

  it("is gone from memory once there are too many parents, and told where a variation still needs it", () => {
    const [header, parent] = woocommerce([{ ID: "X", Type: "variable", Name: "Tee", SKU: "SKU-X" }]).split("\n");
    const reader = new DelimitedReader(`${header}\n`, "export.csv", site);
    reader.write(`${header}\n`);
    const count = 20_000;
    for (let i = 0; i < count; i++) reader.write(`${parent!.replace("X", String(i)).replace("SKU-X", `SKU-${i}`)}\n`);
    const cells = { ID: "99999", Type: "variation", Name: "Tee - S" };
    const of = (named: string) =>
      reader.write(
        woocommerce([{ ...cells, Parent: named }])
          .split("\n")[1]!
          .concat("\n"),
      )[0]!;
    expect(of(`SKU-${count - 1}`).fields.get("link")).toEqual([`${site}/?p=${count - 1}`]);
    expect(of("SKU-0").fault?.field).toBe("parent");
  });
});
