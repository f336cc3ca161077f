// A file out of a multipart form, as it comes: never held in memory, never waited for.
import { Readable } from "node:stream";
import type { ReadableStream as NodeWebStream } from "node:stream/web";
import type { ActionFunctionArgs } from "@remix-run/node";
import busboy from "busboy";
import { act, load } from "./api.server";

type Api = ActionFunctionArgs["context"]["api"];

interface Incoming {
  /** The form's file; undefined when none was chosen. Without any path in its name. */
  file: { name: string; content: AsyncIterable<Uint8Array> } | undefined;
  /** To be called once it is done with: what nobody read is read to its end, so that the answer can be sent. */
  letGo: () => void;
}

/** Reads what nobody wants to its end, so that whoever sends it comes to read the answer. */
const passOver = ({ body }: Request): void => void body?.pipeTo(new WritableStream()).catch(() => {});

/**
 * Hands a form's file on as it comes. Without one the procedure says so, as of any other field.
 * @param mayUpload asked before any of it is read: fields may come for half an hour before the file does
 */
export async function takeFile<T>(
  args: ActionFunctionArgs,
  mayUpload: (api: Api) => Promise<unknown>,
  take: (api: Api, file: { name: string; content: AsyncIterable<Uint8Array> }) => Promise<T>,
) {
  await load(args, mayUpload).catch((refusal) => {
    passOver(args.request);
    throw refusal;
  });
  const { file, letGo } = await incomingFile(args.request);
  const content = file?.content as AsyncIterable<Uint8Array>;
  return act(args, (api) => take(api, { name: file?.name ?? "", content })).finally(letGo);
}

/** Resolves as soon as the file begins. @throws Response 400 when the body is no form with files */
async function incomingFile(request: Request): Promise<Incoming> {
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
      resolve({ file: { name: filename.replaceAll("%22", '"'), content }, letGo });
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
      // As browsers write a file's name, in which a quotation mark is %22.
      defParamCharset: "utf8",
      limits: { files: 2, fields: 20, fieldSize: 10_000 },
    });
  } catch {
    throw Response.json({ message: "The form could not be read. Go back and send it again." }, { status: 400 });
  }
}
