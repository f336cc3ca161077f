// What sets the variants of a product apart, however many they are.
import { expect, it } from "vitest";
import {
  optionNames,
  options,
  selection,
  unknownChoices,
  type VariantRow,
} from "../../server/services/catalog/variants";

const variant = (ref: number, given: Partial<VariantRow>): VariantRow => ({
  ...{
    ref,
    variant_id: String(ref),
    title: "Thread",
    brand: null,
    link: "https://shop.example",
    image_link: null,
    gtin: null,
  },
  ...{ color: null, size: null, material: null, pattern: null, gender: null, age_group: null, attributes: [] },
  ...{ currency: "EUR", price_amount: 100, sale_amount: null, availability: "in_stock", availability_date: null },
  data_as_of: "2027-01-01T00:00:00Z",
  ...given,
});

it("names each label once, whatever its case and accents, with what goes with the rest of the selection", () => {
  const attributes = (value: string) => [{ name: "Colour", value }];
  const all = [
    variant(1, { size: "S", attributes: attributes("Écru") }),
    variant(2, { size: "M", attributes: attributes("ecru"), availability: "out_of_stock" }),
    variant(3, { size: "M", color: "Black" }),
  ] as VariantRow[];
  expect(options(all, ["color", "size"], [{ name: "SIZE", label: "m" }])).toEqual([
    {
      name: "color",
      values: [
        { label: "ecru", available: false, exists: true },
        { label: "Black", available: true, exists: true },
      ],
    },
    {
      name: "size",
      values: [
        { label: "S", available: true, exists: true },
        { label: "M", available: true, exists: true },
      ],
    },
  ]);
  expect(selection(all, [{ name: "color", label: "ECRU" }], "EUR").map(({ ref }) => ref)).toEqual([1, 2]);
  expect(unknownChoices(all, [{ name: "colour", label: "Red" }])).toMatchObject([
    { labels: ["Écru", "ecru", "Black"] },
  ]);
});

it("takes of other attributes as many as it takes to tell the variants apart, and no more", () => {
  const rows = ["a", "b", "c", "d"].map((model, i) =>
    variant(i, {
      attributes: [
        { name: "Weight", value: i < 2 ? "1" : "2", unit: "kg" },
        { name: "Again", value: i < 2 ? "x" : "y" },
        { name: "Model", value: model },
        { name: "Place", value: model },
      ],
    } as Partial<VariantRow>),
  );
  expect(optionNames(rows)).toEqual(["Weight", "Model"]);
});

it("takes so many and no more, where each of thousands has an attribute of a name of its own", () => {
  const rows = Array.from({ length: 2_000 }, (_, i) =>
    variant(i, { attributes: [{ name: `Serial ${i}`, value: "yes" }] }),
  );
  const names = optionNames(rows);
  expect(names.length).toBeLessThanOrEqual(20);
  expect(options(rows, names, [])).toHaveLength(names.length);
});

it("reads what a variant is once, though each of its labels is compared with each of thousands", () => {
  let reads = 0;
  const rows = Array.from({ length: 3_000 }, (_, i) => {
    const row = variant(i, { color: `Colour ${i}` });
    Object.defineProperty(row, "attributes", {
      get: () => {
        reads++;
        return [];
      },
    });
    return row;
  });
  const [color] = options(rows, optionNames(rows), [{ name: "color", label: "Colour 2999" }]);
  expect(color!.values).toHaveLength(3_000);
  expect(color!.values.at(-1)).toEqual({ label: "Colour 2999", available: true, exists: true });
  expect(reads).toBeLessThanOrEqual(4 * rows.length);
});
