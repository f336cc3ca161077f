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

describe("what is no text", () => {
  const shop = { currency: "EUR", currencies: ["EUR"], url: "https://shop.example", now: new Date() };
  async function load(file: Buffer): Promise<number> {
    const report = { format: "tsv" as const, rows: 0, rejected: 0 };
    let loaded = 0;
    const content = Readable.from([file]);
    for await (const offers of offersOf({ content, fileName: "feed", shop }, report, new Issues()))
      loaded += offers.length;
    return loaded;
  }
  const tsv = "id\ttitle\tlink\tprice\n1\tTent\thttps://shop.example/1\t10 EUR\n";
  const xml = '<?xml version="1.0"?><rss version="2.0"><channel></channel></rss>';
  const utf16 = (text: string) => Buffer.from(text, "utf16le");
  const bigEndian = (text: string) => utf16(text).swap16();

  const files: [what: string, file: Buffer][] = [
    ["a PDF", Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", "latin1")],
    ["a PNG", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10", "latin1")],
    ["a JPEG", Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01", "latin1")],
  ];
  for (const text of [tsv, tsv.replaceAll("\t", ","), xml, '{"id":"1"}\n', "[\n]"])
    files.push(
      [`UTF-16 without a byte order mark: ${text.slice(0, 5)}…`, utf16(text)],
      [`the same, big-endian: ${text.slice(0, 5)}…`, bigEndian(text)],
    );

  it.each(files)("is called that, and not a feed that lacks attributes: %s", async (_, file) => {
    for (const sent of [file, gzipSync(file)]) await expect(load(sent)).rejects.toThrow("The file is not text");
  });

  it("is no feed with a stray NUL, nor a text whose header is unknown, in whatever encoding", async () => {
    expect(await load(Buffer.from(tsv.replace("Tent", "Te\0nt")))).toBe(1);
    expect(await load(Buffer.from(tsv.replace("title", "ti\0tle\ttitle").replace("Tent", "\tTent")))).toBe(1);
    for (const marked of [utf16(`\ufeff${tsv}`), bigEndian(`\ufeff${tsv}`)]) expect(await load(marked)).toBe(1);
    for (const text of ["Gr\u00f6\u00dfe;Farbe\n1;rot\n", "50%PDF-rabatt;x\n1;2\n"])
      await expect(load(Buffer.from(text, "latin1"))).rejects.toThrow("names no known attribute");
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
    const shop = { currency: "EUR", currencies: ["EUR"], url: "https://shop.example", now: new Date() };
    const report = { format: "tsv" as const, rows: 0, rejected: 0 };
    const offers = offersOf({ content: Readable.from(pieces()), fileName: "feed.tsv", shop }, report, new Issues());
    await expect(offers.next()).rejects.toThrow("is longer than");
    // A line is 1 MiB at most; some more has been read ahead.
    expect(taken).toBeLessThan(5_000_000);
  });
});
