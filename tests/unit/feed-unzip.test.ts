import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { Zip, ZipDeflate, ZipPassThrough, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { textOf } from "../../server/services/feeds/content";

async function read(file: Uint8Array, piece = 65_536, maxBytes = 10_000_000): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(file.length / piece) }, (_, i) =>
    Buffer.from(file.subarray(i * piece, (i + 1) * piece)),
  );
  let all = "";
  for await (const text of textOf(Readable.from(pieces), () => {}, { maxBytes })) all += text;
  return all;
}

const feed = `id\ttitle\n${Array.from({ length: 3_000 }, (_, i) => `${i}\t${randomBytes(20).toString("hex")}\n`).join("")}`;
const files = (given: Record<string, string>) =>
  Object.fromEntries(Object.entries(given).map(([name, text]) => [name, Buffer.from(text)]));

/** Written without going back: the sizes stand behind the data. */
function streamed(
  given: Record<string, string>,
  Entry: typeof ZipDeflate | typeof ZipPassThrough = ZipDeflate,
): Buffer {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  for (const [name, text] of Object.entries(given)) {
    const entry = new Entry(name);
    zip.add(entry);
    entry.push(Buffer.from(text), true);
  }
  zip.end();
  return Buffer.concat(parts);
}

describe("a ZIP archive", () => {
  it.each([7, 1_000, 65_536])("is read as the file in it, in pieces of %i bytes, kept or not", async (piece) => {
    for (const zip of [
      zipSync(files({ "feed.tsv": feed })),
      zipSync(files({ "feed.tsv": feed }), { level: 0 }),
      streamed({ "feed.tsv": feed }),
    ])
      for (const sent of [zip, gzipSync(zip)]) expect(await read(sent, piece)).toBe(feed);
  });

  it("is not what begins with its two letters and is text, as of Pakistan", async () => {
    expect(await read(Buffer.from("PK_ID,title\n1,Lamp\n"))).toBe("PK_ID,title\n1,Lamp\n");
  });

  it("is read past folders, and what a Mac lays beside the file", async () => {
    const aside = { "feeds/": "", "feeds/.DS_Store": "x" };
    expect(await read(zipSync(files({ ...aside, "feeds/f.tsv": feed, "__MACOSX/feeds/._f.tsv": "x" })))).toBe(feed);
    expect(await read(streamed({ "f.tsv": feed, "__MACOSX/._f.tsv": "x" }))).toBe(feed);
  });

  const zip = zipSync(files({ "f.tsv": feed }));
  const changed = (at: number, byte: number) => Uint8Array.from(zip, (old, i) => (i === at ? byte : old));
  it.each<[string, Uint8Array, string]>([
    [
      "of several files",
      zipSync(files({ "a.tsv": feed, "b.tsv": feed })),
      "has 2 files, such as a.tsv and b.tsv. Send the feed alone",
    ],
    ["of several files, written without going back", streamed({ "a.tsv": feed, "b.tsv": feed }), "has 2 files"],
    ["of no file", zipSync({}), "can't be read"],
    ["of folders alone", zipSync(files({ "feeds/": "" })), "can't be read"],
    ["with a password", changed(6, 1), "is encrypted. Send it without a password"],
    ["packed in another way", changed(8, 12), "can't be read"],
    ["that is neither packed nor sized", streamed({ "f.tsv": feed }, ZipPassThrough), "can't be read"],
    ["cut off in its data", zip.subarray(0, 5_000), "ended unexpectedly"],
    ["cut off behind its data", zip.subarray(0, -30), "ended unexpectedly"],
    ["whose file is not as long as it says", changed(zip.length - 22 - 51 + 24, 0), "can't be read"],
    ["in another", zipSync({ "f.zip": zip }), "packed more than once"],
    [
      "that is a workbook",
      zipSync(files({ "[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<x/>" })),
      "is an Excel or OpenDocument workbook",
    ],
    [
      "that is OpenDocument's",
      zipSync(files({ mimetype: "application/vnd.oasis.opendocument.spreadsheet" })),
      "workbook",
    ],
  ])("%s is refused, and says why", async (_, sent, why) => {
    for (const piece of [100, 65_536]) await expect(read(sent, piece)).rejects.toThrow(why);
  });

  it("is refused where what is in it is too large, however little it takes packed", async () => {
    const bomb = zipSync({ "f.tsv": new Uint8Array(5_000_000).fill(97) });
    expect(bomb.length).toBeLessThan(20_000);
    await expect(read(bomb, 65_536, 1_000_000)).rejects.toThrow("larger than 2 GiB");
  });
});
