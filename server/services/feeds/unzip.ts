// The one file of a ZIP archive, while it comes (APPNOTE.TXT, PKWARE): its beginning tells where the data is, and its end, the central directory,
// whether that was all of it.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import { clean, cut } from "./plain";
import { Refusal } from "./report";

const UNREADABLE =
  "The file is a ZIP archive or an Excel workbook that can't be read. Send it as TSV, CSV, XML or JSON Lines, or as .gz.";
const WORKBOOK = "The file is an Excel or OpenDocument workbook. Save it as CSV UTF-8 or as TSV, and send that.";

const LOCAL = { signature: 0x04034b50, size: 30 };
const CENTRAL = { signature: 0x02014b50, size: 46 };
const END = { signature: 0x06054b50, size: 22 };
/** Does it begin with a file, or with the end of an archive of none? Text may begin with the letters `PK` alone. */
export const isArchive = (head: Buffer): boolean =>
  head.length >= 4 && [LOCAL.signature, END.signature].includes(head.readUInt32LE(0));

const [STORED, DEFLATED] = [0, 8];
const isEncrypted = (flags: number): boolean => (flags & 1) !== 0;
/** Its size stands behind the data. */
const isUnsized = (flags: number): boolean => (flags & 8) !== 0;
/** Folders, and what a Mac lays beside each file. */
const isAside = (name: string): boolean => /\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/.test(name);
const isWorkbook = (name: string): boolean =>
  /^(?:\[Content_Types\]\.xml|mimetype|(?:_rels|docProps|xl|META-INF)\/.*)$/.test(name);
/** Of its end: a central directory of one file has far less. */
const TAIL = 64 * 1024;

/** What comes, taken as it is needed; its last bytes are kept. */
class Source {
  tail: Buffer = Buffer.alloc(0);
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly chunks: AsyncIterator<Buffer>) {}

  /** Undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    if (this.rest.length > 0) {
      const { rest } = this;
      this.rest = Buffer.alloc(0);
      return rest;
    }
    const { value, done } = await this.chunks.next();
    if (done) return undefined;
    this.tail = Buffer.concat([this.tail, value]).subarray(-TAIL);
    return value;
  }

  /** @throws Refusal where there are fewer */
  async take(size: number): Promise<Buffer> {
    let taken = this.rest;
    while (taken.length < size) {
      this.rest = Buffer.alloc(0);
      const more = await this.next();
      if (!more) throw new Refusal(UNREADABLE);
      taken = Buffer.concat([taken, more]);
    }
    this.rest = taken.subarray(size);
    return taken.subarray(0, size);
  }

  /** At most so many bytes. What they are taken from stays open, whoever stops reading them. */
  async *upTo(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const chunk = await this.next();
      if (!chunk) return;
      this.rest = chunk.subarray(left);
      left -= Math.min(left, chunk.length);
      yield this.rest.length > 0 ? chunk.subarray(0, -this.rest.length) : chunk;
    }
  }
}

/** @throws Refusal for what is no ZIP archive of one file */
export async function* unzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const source = new Source(chunks);
  const { method, size } = await begun(source);
  let length = 0;
  for await (const chunk of method === STORED ? source.upTo(size) : inflated(source.upTo(size))) {
    length += chunk.length;
    yield chunk;
  }
  while (await source.next());
  ended(source.tail, length);
}

/** Goes to where the data of the first file begins. */
async function begun(source: Source): Promise<{ method: number; size: number }> {
  for (;;) {
    const head = await source.take(LOCAL.size);
    if (head.readUInt32LE(0) !== LOCAL.signature) throw new Refusal(UNREADABLE);
    const [flags, method, size] = [head.readUInt16LE(6), head.readUInt16LE(8), head.readUInt32LE(18)];
    const name = String(await source.take(head.readUInt16LE(26)));
    await source.take(head.readUInt16LE(28));
    if (isWorkbook(name)) throw new Refusal(WORKBOOK);
    if (isEncrypted(flags)) throw new Refusal("The ZIP archive is encrypted. Send it without a password.");
    if ((method !== STORED && method !== DEFLATED) || (method === STORED && isUnsized(flags)))
      throw new Refusal(UNREADABLE);
    if (!isAside(name)) return { method, size: isUnsized(flags) ? Number.POSITIVE_INFINITY : size };
    if (isUnsized(flags)) throw new Refusal(UNREADABLE);
    for await (const _ of source.upTo(size));
  }
}

/** Up to where the data says itself that it ends. */
async function* inflated(data: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  // What goes wrong is thrown below; that nobody reads on behind its end is nothing wrong.
  const feeding = pipeline(Readable.from(data), inflate).catch(() => {});
  yield* inflate as AsyncIterable<Buffer>;
  await feeding;
}

/** @param length of the file that was read @throws Refusal where that is not all there is */
function ended(tail: Buffer, length: number): void {
  const end = tail.lastIndexOf("PK\x05\x06", undefined, "latin1");
  if (end < 0 || end + END.size > tail.length) throw new Refusal("The ZIP archive ended unexpectedly. Send it again.");
  const files: { name: string; size: number }[] = [];
  let at = end - tail.readUInt32LE(end + 12);
  for (let left = tail.readUInt16LE(end + 10); left > 0; left--) {
    if (at < 0 || at + CENTRAL.size > end || tail.readUInt32LE(at) !== CENTRAL.signature) throw new Refusal(UNREADABLE);
    const [nameSize, more] = [tail.readUInt16LE(at + 28), tail.readUInt16LE(at + 30) + tail.readUInt16LE(at + 32)];
    const name = tail.toString("utf8", at + CENTRAL.size, at + CENTRAL.size + nameSize);
    if (!isAside(name)) files.push({ name, size: tail.readUInt32LE(at + 24) });
    at += CENTRAL.size + nameSize + more;
  }
  const [file, other] = files;
  if (other)
    throw new Refusal(
      `The ZIP archive has ${files.length} files, such as ${listed(file!.name)} and ${listed(other.name)}. Send the feed alone.`,
    );
  if (file?.size !== length % 2 ** 32) throw new Refusal(UNREADABLE);
}

const listed = (name: string): string => cut(clean(name), 100);
