// The file's bytes as text: unzipped, decoded by its byte order mark or what is in it, in pieces; memory does not grow with the file.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { UnmarkedText } from "./code-page";
import { Refusal } from "./report";
import { isArchive, unzipped } from "./unzip";

/** Of each layer that it is packed in, and of what is in the last. A file that is larger than this is a mistake, or a bomb. */
const MAX_BYTES = 2 * 1024 ** 3;
const PIECE = 64 * 1024;

/** The file can't be read where it is kept, now: no fault of its own. */
export class Unread extends Error {
  override readonly name = "Unread";
}

interface Options {
  maxBytes?: number;
  /** Without it what is not UTF-8 is in no code page either. */
  home?: ConstructorParameters<typeof UnmarkedText>[0];
}

/**
 * What can't be decoded comes as U+FFFD, so that the rows that have it can be reported.
 * @param onBytes is told how many bytes of the file, as it came, have been read
 * @throws Refusal when the file breaks off, is too large, or is no text; Unread
 */
export async function* textOf(
  content: Readable,
  onBytes: (bytes: number) => void,
  { maxBytes = MAX_BYTES, home }: Options = {},
): AsyncGenerator<string> {
  let decoder: UnmarkedText | Marked | undefined;
  try {
    for await (const chunk of opened(counted(content, onBytes), maxBytes, 2)) {
      decoder ??= decoderOf(chunk, home);
      for (const text of decoder.write(chunk)) if (text) yield text;
    }
    for (const text of decoder?.end() ?? []) if (text) yield text;
  } catch (cause) {
    if (cause instanceof Refusal || cause instanceof Unread) throw cause;
    throw new Refusal("The file ended unexpectedly. Send it again.", { cause });
  }
}

/** @param layers that it may be packed in: a kept file has one, of gzip, and what came may have had its own, of gzip or ZIP. */
async function* opened(content: AsyncIterable<Buffer>, maxBytes: number, layers: number): AsyncGenerator<Buffer> {
  const chunks = withWholeHead(bounded(content, maxBytes));
  const first = await chunks.next();
  if (first.done) return;
  const whole = prepended(first.value, chunks);
  if (isArchive(first.value)) {
    if (layers === 0) throw new Refusal("The file is packed more than once. Send it packed once, or as it is.");
    return yield* opened(unzipped(whole), maxBytes, 0);
  }
  if (layers === 0 || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return yield* whole;
  const gunzip = createGunzip();
  // The generator below throws what goes wrong; the same error must not also be unhandled.
  const feeding = pipeline(Readable.from(whole), gunzip).catch(() => {});
  yield* opened(gunzip as AsyncIterable<Buffer>, maxBytes, layers - 1);
  await feeding;
}

async function* counted(content: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    const buffer = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    bytes += buffer.length;
    onBytes(bytes);
    // A whole file may come in one piece: others must have their turn in between.
    for (let at = 0; at < buffer.length; at += PIECE) yield buffer.subarray(at, at + PIECE);
  }
}

/** Also where nothing comes of them: gigabytes of empty blocks unzip to nothing at all. */
async function* bounded(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new Refusal("The file is larger than 2 GiB. Split the catalogue across several stores.");
    yield chunk;
  }
}

/** The first chunk has at least 128 bytes, where there are so many: enough to see what the file is. */
async function* withWholeHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < 128) continue;
      yield head;
      head = undefined;
    }
  }
  if (head && head.length > 0) yield head;
}

export async function* prepended<Chunk>(first: Chunk, rest: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  yield first;
  yield* rest;
}

/** Whose encoding is told. */
class Marked {
  private readonly decoder: TextDecoder;

  constructor(encoding: string) {
    this.decoder = new TextDecoder(encoding);
  }

  write(chunk: Buffer): string[] {
    return [this.decoder.decode(chunk, { stream: true })];
  }

  end(): string[] {
    return [this.decoder.decode()];
  }
}

function decoderOf(head: Buffer, home: Options["home"]): UnmarkedText | Marked {
  const encoding = encodingOf(head);
  return encoding === undefined ? new UnmarkedText(home) : new Marked(encoding);
}

/** A byte order mark's, else what XML's own declaration says. That of UTF-8 proves nothing: most of XML has it, whatever it is in. */
function encodingOf(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  const declared = /^\s*<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/i.exec(head.toString("latin1"))?.[1];
  if (!declared) return undefined;
  try {
    const { encoding } = new TextDecoder(declared);
    // What declares UTF-16 byte by byte is not in it.
    return encoding.startsWith("utf-") ? undefined : encoding;
  } catch {
    throw new Refusal(`The file says it is encoded in ${declared}, which is not supported. Send it in UTF-8.`);
  }
}
