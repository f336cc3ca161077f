import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { textOf } from "../../server/services/feeds/content";
import { withoutC1 } from "../../server/services/feeds/plain";
import { offersOf } from "../../server/services/feeds/read";
import { Issues } from "../../server/services/feeds/report";

async function read(file: Buffer, maxBytes?: number): Promise<string> {
  let all = "";
  const options = maxBytes === undefined ? {} : { maxBytes };
  for await (const text of textOf(Readable.from([file]), () => {}, options)) all += text;
  return all;
}

describe("a file that is not UTF-8 and does not say so", () => {
  /** What is read of it, in pieces of so many bytes, and the code pages that are told. */
  async function readIn(country: string, file: Buffer, piece = file.length) {
    const told: string[] = [];
    const pieces = Array.from({ length: Math.ceil(file.length / piece) }, (_, i) =>
      file.subarray(i * piece, (i + 1) * piece),
    );
    const home = { country, onCodePage: (encoding: string) => told.push(encoding) };
    let all = "";
    for await (const text of textOf(Readable.from(pieces), () => {}, { home })) all += text;
    return { text: withoutC1(all), told };
  }
  const bytes = (text: string, ...codes: [letter: string, code: number][]) => {
    let ascii = text;
    for (const [letter, code] of codes) ascii = ascii.replaceAll(letter, String.fromCharCode(code));
    return Buffer.from(ascii, "latin1");
  };

  it.each([
    [
      "DE",
      "windows-1252",
      "H\u00e4kelgarn \u201esch\u00f6n\u201c \u2013 12,50 \u20ac",
      bytes(
        "H\u00e4kelgarn \u201esch\u00f6n\u201c \u2013 12,50 \u20ac",
        ["\u201e", 0x84],
        ["\u201c", 0x93],
        ["\u2013", 0x96],
        ["\u20ac", 0x80],
      ),
    ],
    ["PL", "windows-1250", "\u0142\u00f3\u017cko", bytes("\u0142\u00f3\u017cko", ["\u0142", 0xb3], ["\u017c", 0xbf])],
    ["BG", "windows-1251", "\u0447\u0430\u0439", Buffer.from([0xf7, 0xe0, 0xe9])],
  ])(
    "is read in the code page of Windows in the store's country, which is told: %s",
    async (country, encoding, text, file) => {
      for (const piece of [file.length, 1])
        expect(await readIn(country, file, piece)).toEqual({ text, told: [encoding] });
    },
  );

  it("is so where it is compressed, and where a megabyte of ASCII comes before its first accent", async () => {
    const file = bytes(`${"a".repeat(1_200_000)}\u00e9${"b".repeat(1_200_000)}\u00e8`);
    for (const sent of [file, gzipSync(file)])
      expect(await readIn("FR", sent)).toEqual({ text: file.toString("latin1"), told: ["windows-1252"] });
  });

  it.each([
    ["UTF-8", Buffer.from("é".repeat(1_500_000))],
    ["in a code page", Buffer.alloc(3_000_000, 0xe9)],
  ])("comes in pieces no larger than it came, whatever is held until that is known: %s", async (_, file) => {
    const home = { country: "FR", onCodePage: () => {} };
    const sizes: number[] = [];
    for await (const text of textOf(Readable.from([file]), () => {}, { home })) sizes.push(text.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
  });

  it.each([
    ["UTF-8", "FR", Buffer.from("Caf\u00e9 \u{1f600}"), "Caf\u00e9 \u{1f600}"],
    ["UTF-8 with a letter that was cut off", "FR", Buffer.from("It\u2019s").subarray(0, 4), "It\ufffd"],
    [
      "UTF-8 with some of it broken",
      "FR",
      Buffer.concat([Buffer.from("\u00e8"), bytes("\u00e9\u00e9\u00e9")]),
      "\u00e8\ufffd\ufffd\ufffd",
    ],
    ["marked as UTF-8", "FR", Buffer.concat([Buffer.from("\ufeff"), bytes("Caf\u00e9")]), "Caf\ufffd"],
    ["a Mac's", "DE", bytes("f\u00fcr M\u00e4use", ["\u00fc", 0x9f], ["\u00e4", 0x8a]), "f\ufffdr M\ufffduse"],
    ["of a script of two bytes a character", "JP", Buffer.from([0x8a, 0xd6]), "\ufffd\ufffd"],
  ])("is taken for none that it is not: %s", async (_, country, file, text) => {
    expect(await readIn(country, file)).toEqual({ text, told: [] });
  });
});

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
    for (const text of ["Schl\u00fcssel;Wort\n1;rot\n", "50%PDF-rabatt;x\n1;2\n"])
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
