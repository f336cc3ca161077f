import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { csv } from "../../server/csv";

async function* batches<T>(...all: T[][]) {
  yield* all;
}
async function whole(cells: (string | number | Date | null)[][]): Promise<string> {
  let text = "";
  const columns = cells[0]!.map((_, at) => ({ header: `c${at}`, cell: (row: (typeof cells)[number]) => row[at] }));
  for await (const piece of csv(columns, batches([], ...cells.map((row) => [row])))) text += piece;
  return text;
}

describe("CSV", () => {
  it("is what was put in, whatever it holds, with a header and the mark of UTF-8", async () => {
    const cells = ['a,b "c"', "two\nlines", "", "Größe ¥", "1\r2"];
    const text = await whole([cells]);
    expect(text.startsWith("\ufeffc0,c1,c2,c3,c4\r\n")).toBe(true);
    expect(parse(text, { bom: true })).toEqual([["c0", "c1", "c2", "c3", "c4"], cells]);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "\tx", "\rx", '=HYPERLINK("http://x")'])(
    "lets no spreadsheet run %j",
    async (formula) => {
      expect(parse(await whole([[formula]]), { bom: true })[1]).toEqual([`'${formula}`]);
    },
  );

  it.each([
    ["a;=1+1", "a;'=1+1"],
    ["a\t@SUM(A1);-2", "a\t'@SUM(A1);'-2"],
    ['a;"=1+1', "a;\"'=1+1"],
    ["a\n=1+1\r\n-2\r+3", "a\n'=1+1\r\n'-2\r'+3"],
    ["a;＝1+1\t＋1\n－1;＠SUM(A1)", "a;'＝1+1\t'＋1\n'－1;'＠SUM(A1)"],
  ])(
    "lets none run what becomes a cell of its own where they part at semicolons or tabs, by their lines too: %j",
    async (cell, shown) => {
      expect(parse(await whole([[cell]]), { bom: true })[1]).toEqual([shown]);
    },
  );

  it("gives instants in UTC, numbers plainly, and nothing for nothing", async () => {
    const text = await whole([[new Date("2026-03-04T05:06:07.008Z"), 1234.5, null]]);
    expect(parse(text, { bom: true })[1]).toEqual(["2026-03-04T05:06:07.008Z", "1234.5", ""]);
  });

  it("comes in pieces, a portion of rows at a time", async () => {
    const columns = [{ header: "n", cell: (n: number) => n }];
    const pieces: string[] = [];
    for await (const piece of csv(columns, batches([1, 2], [3]))) pieces.push(piece);
    expect(pieces).toEqual(["\ufeffn\r\n", "1\r\n2\r\n", "3\r\n"]);
  });
});
