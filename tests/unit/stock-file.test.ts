// A merchant's file of counts: what is read of it, and what is said of one that is not as it must be.
import { describe, expect, it } from "vitest";
import { MAX_STOCK_BYTES, readStock } from "../../server/services/stock-file";

async function* parts(...bytes: Uint8Array[]) {
  yield* bytes;
}
const read = async (text: string) => {
  const { levels, locations } = await readStock(parts(Buffer.from(text)));
  return { levels, locations: Object.fromEntries(locations) };
};
const refusal = (text: string | Buffer) =>
  readStock(parts(Buffer.from(text))).then(
    () => Promise.reject(new Error("It was read.")),
    (error) => error.message as string,
  );

describe("counts", () => {
  it("are Google's local inventory, with its other columns passed over", async () => {
    const file = [
      "store_code\tid\tquantity\tprice\tavailability\tpickup_method\tpickup_sla",
      "DUB-1\tlamp\t3\t9.99 EUR\tin_stock\tbuy\tsame day",
      "DUB-1\tsofa\t\t99 EUR\tout_of_stock\tnot supported\t",
    ].join("\r\n");
    expect(await read(file)).toEqual({
      locations: { "DUB-1": { pickup: true } },
      levels: [
        { variant_id: "lamp", location_id: "DUB-1", quantity: 3, low_stock_threshold: 5 },
        { variant_id: "sofa", location_id: "DUB-1", quantity: 0, low_stock_threshold: 5 },
      ],
    });
  });

  it.each([
    ["a comma", 'id,store_code,quantity,restock_at\n"lamp, ""big""",DUB-1,3.0,2026-12-24'],
    [
      "a semicolon and a mark of its encoding",
      '\ufeffId;Store Code;Quantity;restock_at\n"lamp, ""big""";DUB-1;3;2026-12-24T00:00Z\n;;;\n',
    ],
    ["a tab and other names", 'sku\tlocation_id\tqty\trestock_date\n"lamp, ""big"""\tDUB-1\t3\t20261224'],
  ])("come apart by %s", async (_, file) => {
    const restock_at = new Date("2026-12-24");
    const level = { variant_id: 'lamp, "big"', location_id: "DUB-1", quantity: 3, low_stock_threshold: 5, restock_at };
    expect(await read(file)).toEqual({ locations: { "DUB-1": {} }, levels: [level] });
  });

  it("are of the id that a feed with the same blanks in it has", async () => {
    const { levels } = await read("id\tstore_code\tquantity\nAB  12\tDUB-1\t3");
    expect(levels[0]!.variant_id).toBe("AB 12");
  });

  it("offer pick-up at a location where any of its rows does, in whatever order", async () => {
    const header = "id\tstore_code\tquantity\tstore_name\tstore_address\tpickup_method\ttitle";
    const rows = ['a\tD\t1\tDublin\t\tnot supported\t55" TV', "b\tD\t1\t\tGrafton Street\tbuy\t", "c\tG\t1\t\t\tno\t"];
    const locations = { D: { name: "Dublin", address: "Grafton Street", pickup: true }, G: { pickup: false } };
    for (const file of [rows, rows.toReversed()])
      expect((await read([header, ...file].join("\n"))).locations).toEqual(locations);
  });

  it("that are wrong are told by their lines, five at most, and how many more", async () => {
    const header = "id,store_code,quantity,low_stock_threshold,restock_at\n";
    const lines = [
      "a,,1",
      ",b,1",
      "a,b,-1",
      "a,b,1.5",
      "a,b,2000000001",
      "a,b,1,few",
      "a,b,1,,soon",
      `${"x".repeat(201)},b,1`,
    ];
    const each = await Promise.all(lines.map((line) => refusal(header + line)));
    expect(each).toEqual(
      [
        "store_code is missing",
        "id is missing",
        'quantity "-1" is no number of pieces',
        'quantity "1.5" is no number of pieces',
        'quantity "2000000001" is no number of pieces',
        'low_stock_threshold "few" is no number of pieces',
        'restock_at "soon" is no date, such as 2026-09-26, or date and time',
        "id is longer than 200 characters",
      ].map((what) => `Nothing was changed: line 2: ${what}.`),
    );
    expect(await refusal(`${header}a,b,1\nc,b,1\na,b,2`)).toBe(
      "Nothing was changed: line 4: id and store_code are those of line 2.",
    );
    expect(await refusal(header + lines.join("\n"))).toMatch(/line 2: .+; line 6: [^;]+; and 3 more\.$/);
    expect(await refusal(`${header}"a,b,1`)).toMatch(/^Nothing was changed: line \d+: has quotes out of order\.$/);
    const [tab, row] = ["store_code\tid\tquantity\ttitle\tnote\n", 'A\t1\t2\t"Vintage poster'];
    for (const stray of [
      `${tab}${row}\t\nA\t2\t3\tTV 24"\t\nA\t3\t1\tx\t`,
      `${tab}${row}\nA\t2\t3\tTV 24"`,
      `${tab}${row}\rA\t2\t3\tTV 24"`.replace("\n", "\r"),
      'store_code,id,quantity,title\nA,1,2,"Vintage poster\nA,2,3,TV 24" wide',
    ])
      expect(await refusal(stray)).toBe(
        "Nothing was changed: line 2: a quote is never closed, and takes in the row below.",
      );
    expect(await refusal(`${header}${"a,b,?\n".repeat(3_000)}`)).toMatch(/; and at least 995 more\.$/);
    expect(await refusal(`id,store_code,quantity${",x".repeat(998)}\na,b,1`)).toMatch(/more than 1,000 columns/);
    const stores = Array.from({ length: 1_001 }, (_, i) => `a,${i},1`).join("\n");
    expect(await refusal(header + stores)).toBe("Nothing was changed: it has 1001 stores, and 1000 are the most.");
  });

  it("may have an address over two lines, wherever it stands", async () => {
    for (const file of [
      'store_address\tstore_code\tid\tquantity\n"Main Street 5\nDublin"\tA\t1\t2',
      'store_code,id,quantity,store_address\nA,1,2,"Main Street 5,\nDublin, Ireland"',
    ])
      expect((await read(file)).levels).toMatchObject([{ variant_id: "1", location_id: "A", quantity: 2 }]);
  });

  it("let others have their turn, however many rows there are", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await read(`id,store_code,quantity\n${Array.from({ length: 20_000 }, (_, i) => `${i},K,1`).join("\n")}`);
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(39);
  });

  it("in another encoding than UTF-8 are told by line and column", async () => {
    const text = "id,store_code,quantity,store_name\na,K,1,Koeln\na,L,1,Köln";
    expect(await refusal(Buffer.from(text, "latin1"))).toBe(
      "Nothing was changed: line 3: store_name has characters that are not UTF-8.",
    );
  });

  it("that are none are told so", async () => {
    expect(await refusal("")).toBe("The file has no rows.");
    expect(await refusal("a,b\n1,2")).toBe(
      "The file has no column id or store_code or quantity. Its first line must name them.",
    );
    expect(await refusal("id,quantity\na,1")).toBe("The file has no column store_code. Its first line must name it.");
    expect(await refusal("id,store_code,quantity\na,b,")).toBe("Nothing was changed: line 2: quantity is missing.");
    expect(await refusal("id,store_code,availability\na,b,in_stock")).toBe(
      'Nothing was changed: line 2: availability "in_stock" needs a quantity beside it.',
    );
    expect(await refusal("id,store_code,quantity\n,,\n")).toBe("The file has no rows.");
    for (const bytes of [Buffer.from("id,store_code", "utf16le"), Buffer.from([0x1f, 0x8b, 8])])
      expect(await refusal(bytes)).toBe("This is no text. Save the table as CSV in UTF-8, and upload that.");
    expect(await refusal(Buffer.alloc(MAX_STOCK_BYTES + 1, "x"))).toBe(
      "The file is larger than 5 MB. Leave out columns that are not read here, but keep products without stock: one that is left out is told as not counted. Beyond that an operator can load the counts as JSON.",
    );
  });
});
