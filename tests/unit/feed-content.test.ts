import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { textOf } from "../../server/services/feeds/content";
import { offersOf } from "../../server/services/feeds/read";
import { Issues } from "../../server/services/feeds/report";

async function read(file: Buffer, maxBytes?: number): Promise<string> {
  let all = "";
  for await (const text of textOf(Readable.from([file]), () => {}, maxBytes)) all += text;
  return all;
}

describe("a gzipped file", () => {
  it("is read through two layers of gzip", async () => {
    expect(await read(gzipSync(gzipSync("id\ttitle\n")), 1_000)).toBe("id\ttitle\n");
  });

  it("is refused where a layer of it is too large, also one that unzips to nothing", async () => {
    const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
    const empty = Buffer.from([0, 0, 0, 0xff, 0xff]);
    const end = Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
    const hollow = Buffer.concat([head, ...Array.from({ length: 100_000 }, () => empty), end]);
    await expect(read(gzipSync(hollow), 200_000)).rejects.toThrow("larger than 2 GiB");
    await expect(read(gzipSync("x".repeat(300_000)), 200_000)).rejects.toThrow("larger than 2 GiB");
    expect(await read(gzipSync(hollow), 600_000)).toBe("");
  });
});

describe("a file of one endless line", () => {
  const file = Buffer.alloc(50_000_000, "id\ttitle ");
  const header = Buffer.from("id\ttitle\tlink\tprice\n");
  const whole = Buffer.concat([header, file]);
  it.each([
    ["as it is", whole],
    ["zipped", gzipSync(whole, { level: 0 })],
  ])("is read no further than a line may be long, %s", async (_how, bytes) => {
    let taken = 0;
    function* pieces() {
      for (let at = 0; at < bytes.length; at += 65_536) {
        const piece = bytes.subarray(at, at + 65_536);
        taken += piece.length;
        yield piece;
      }
    }
    const shop = { currency: "EUR", currencies: ["EUR"], now: new Date() };
    const report = { format: "tsv" as const, rows: 0, rejected: 0 };
    const offers = offersOf({ content: Readable.from(pieces()), fileName: "feed.tsv", shop }, report, new Issues());
    await expect(offers.next()).rejects.toThrow("is longer than");
    // A line is 1 MiB at most; some more has been read ahead.
    expect(taken).toBeLessThan(5_000_000);
  });
});
