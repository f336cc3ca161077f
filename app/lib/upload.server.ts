// A file out of a multipart form, as it comes: never held in memory, never waited for.
import { Readable } from "node:stream";
import type { ReadableStream as NodeWebStream } from "node:stream/web";
import busboy from "busboy";

export interface Incoming {
  /** The form's file; undefined when none was chosen. Without any path in its name. */
  file: { name: string; content: AsyncIterable<Uint8Array> } | undefined;
  /** To be called once it is done with: what nobody read is read to its end, so that the answer can be sent. */
  letGo: () => void;
}

/** Reads what nobody wants to its end, so that whoever sends it comes to read the answer. */
export const passOver = ({ body }: Request): void => void body?.pipeTo(new WritableStream()).catch(() => {});

/** Resolves as soon as the file begins. @throws Response 400 when the body is no form with files */
export async function incomingFile(request: Request): Promise<Incoming> {
  const form = parser(request.headers.get("content-type") ?? "");
  const body = Readable.fromWeb(request.body as NodeWebStream);
  const incoming = new Promise<Incoming>((resolve) => {
    let isFirst = true;
    form.on("file", (_field, file, { filename }) => {
      file.on("error", () => {}); // whoever reads it is told
      const letGo = () => void file.resume();
      if (!isFirst || !filename) return letGo();
      isFirst = false;
      const content = file.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
      resolve({ file: { name: filename, content }, letGo });
    });
    const over = () => resolve({ file: undefined, letGo() {} });
    form.once("close", over);
    // It may find fault again and again with one body, so it is given no more of it after the first.
    form.on("error", (error: Error) => {
      body.unpipe(form);
      body.resume();
      form.destroy(error);
      over();
    });
  });
  // A visitor who goes away ends the form, and with it the file, in the middle.
  body.once("error", (error) => form.destroy(error));
  body.pipe(form);
  return incoming;
}

function parser(contentType: string) {
  try {
    return busboy({
      headers: { "content-type": contentType },
      // As browsers write a file's name.
      defParamCharset: "utf8",
      limits: { files: 2, fields: 20, fieldSize: 10_000 },
    });
  } catch {
    throw Response.json({ message: "The form could not be read. Go back and send it again." }, { status: 400 });
  }
}
