import { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  createReadableStreamFromReadable,
  type EntryContext,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { NonceContext } from "~/lib/nonce";

const RENDER_TIMEOUT_MS = 5_000;

export const streamTimeout = RENDER_TIMEOUT_MS;

/** What loaders, actions and rendering threw. A visitor's mistake, such as a page that is not there, is no error of ours. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.report(error);
}

let drawn: Promise<unknown> = Promise.resolve();
/** One page is drawn in a turn of the event loop: agents' calls pass between them. */
const nextTurn = () => {
  drawn = drawn.then(() => setImmediate());
  return drawn;
};

/**
 * What is written within one turn goes on in one piece: React writes 2 kB at a time, each of which would become a write to the
 * connection.
 */
class Gathering extends Duplex {
  #goOn: (() => void) | undefined;

  constructor() {
    super({ writableHighWaterMark: 256 * 1024 });
  }

  override write(...args: [chunk: unknown]): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      process.nextTick(() => this.uncork());
    }
    return super.write(...args);
  }

  override _writev(pieces: { chunk: Buffer }[], done: () => void): void {
    if (this.push(Buffer.concat(pieces.map(({ chunk }) => chunk)))) done();
    else this.#goOn = done;
  }

  override _read(): void {
    this.#goOn?.();
    this.#goOn = undefined;
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, report }: AppLoadContext,
): Promise<Response> {
  // Bots and JavaScript-free pages get the document whole.
  const isWhole = isbot(request.headers.get("user-agent") ?? "") || remixContext.isSpaMode;
  await nextTurn();
  return new Promise((resolve, reject) => {
    let answered = false;
    const answer = () => {
      answered = true;
      const body = new Gathering();
      headers.set("content-type", "text/html; charset=utf-8");
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} nonce={nonce} url={request.url} />
      </NonceContext.Provider>,
      {
        nonce,
        onShellReady() {
          if (!isWhole) answer();
        },
        onAllReady() {
          clearTimeout(late);
          if (isWhole) answer();
        },
        onShellError: reject,
        onError(error) {
          // Before the shell stands the error goes to Remix, which reports it; afterwards the status is out already. That
          // a visitor went away is none.
          if (!answered || request.signal.aborted) return;
          report(error);
          abort(error);
        },
      },
    );
    const late = setTimeout(abort, RENDER_TIMEOUT_MS + 1_000).unref();
  });
}
