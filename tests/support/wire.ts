// Raw bytes to a server and back, for what no HTTP client would send.
import { connect } from "node:net";

/** Our request ids. */
export const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface WireAnswer {
  status: number;
  /** Names in lower case; of a doubled one all values, joined by ", ". */
  headers: Record<string, string>;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json: ReturnType<typeof JSON.parse>;
}

export interface Exchanged {
  /** What was received, as Latin-1. */
  raw: string;
  answers: WireAnswer[];
  /** Whether the server ended the connection. */
  closed: boolean;
  /** From the connection to its end. */
  ms: number;
}

/**
 * Sends bytes as they are, piece after piece, and reads what comes until the server closes.
 * @param pieces each is sent `everyMs` after the one before; at once unless given
 * @param patienceMs how long to wait for the end
 * @param half say that nothing more will come
 */
export function exchange(
  url: string,
  pieces: string | Uint8Array | Iterable<string | Uint8Array>,
  { everyMs = 0, patienceMs = 20_000, half = false } = {},
): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  const begun = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (closed: boolean) => {
      clearTimeout(patience);
      clearTimeout(next);
      socket.destroy();
      const raw = Buffer.concat(chunks).toString("latin1");
      resolve({ raw, answers: answersIn(raw), closed, ms: performance.now() - begun });
    };
    const patience = setTimeout(() => done(false), patienceMs);
    let next: NodeJS.Timeout | undefined;
    const rest = (typeof pieces === "string" || pieces instanceof Uint8Array ? [pieces] : pieces)[Symbol.iterator]();
    const send = () => {
      const { value, done: isLast } = rest.next();
      if (!socket.writable) return;
      if (isLast) return void (half && socket.end());
      socket.write(typeof value === "string" ? Buffer.from(value, "latin1") : value);
      if (everyMs === 0) send();
      else next = setTimeout(send, everyMs);
    };
    socket.once("connect", send);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {}); // a reset: "close" comes next
    socket.once("end", () => done(true));
    socket.once("close", () => done(true));
  });
}

/** The whole answers in what was received, but for those to HEAD. */
function answersIn(raw: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = raw;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end < 0 || Number.isNaN(status)) return answers;
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const [name, value] = line.split(/: ?(.*)/s, 2) as [string, string];
      const key = name.toLowerCase();
      headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
    }
    rest = rest.slice(end + 4);
    let text = "";
    if (headers["transfer-encoding"] === "chunked") {
      for (let size = -1; size !== 0; ) {
        const line = rest.slice(0, rest.indexOf("\r\n"));
        size = Number.parseInt(line, 16);
        if (!(rest.length >= line.length + 4 + size)) return answers;
        text += rest.slice(line.length + 2, line.length + 2 + size);
        rest = rest.slice(line.length + 4 + size);
      }
    } else {
      const length = Number(headers["content-length"] ?? 0);
      if (rest.length < length) return answers;
      text = rest.slice(0, length);
      rest = rest.slice(length);
    }
    text = Buffer.from(text, "latin1").toString("utf8");
    answers.push({ status, headers, text, json: asJson(text) });
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
