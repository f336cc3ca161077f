// A feed over HTTP from an address that a merchant typed: as far as the internet goes, and no nearer. Names are resolved
// here, every address is checked, and the connection goes to an address that was checked, after each redirect anew.
import { isUtf8 } from "node:buffer";
import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from "node:net";
import { type AddressRule, isPublic } from "./addresses";
import { clean, cut, oneLine } from "./plain";

const MAX_REDIRECTS = 5;
const ANSWER_MS = 30_000;
/** How long an address has to take the connection before the name's next one is tried. Node's own default is 250 ms. */
const CONNECT_MS = 10_000;
/** A fetch ends once nothing has come for this long. */
const SILENCE_MS = 30_000;
const TOTAL_MS = 15 * 60_000;
/** Bytes a second that must come: with less, a fetch would have less than a megabyte by its end, and others wait for that. */
const LEAST_RATE = 1_000;
/** The rate is taken over each stretch of this length but the first, in which many shops are still writing the file. */
const STRETCH_MS = 60_000;

/** Below are mail, file and log-in services, whose lines a request could be taken for; 80 and 443 are no port in a URL. */
const LEAST_PORT = 1024;

type Resolve = (host: string) => Promise<LookupAddress[]>;

export interface Reach {
  allows: AddressRule;
  resolve: Resolve;
  /** How long to wait: for an answer, for more of it, for enough of it, and for all of it. */
  waits: { answerMs: number; silenceMs: number; stretchMs: number; totalMs: number };
}

/** The internet, asked patiently. */
export const internet: Reach = {
  allows: isPublic,
  resolve: (host) =>
    new Promise((done, fail) =>
      systemLookup(host, { all: true }, (error, found) => (error ? fail(error) : done(found))),
    ),
  waits: { answerMs: ANSWER_MS, silenceMs: SILENCE_MS, stretchMs: STRETCH_MS, totalMs: TOTAL_MS },
};

/** Why there is no feed, in words for the merchant. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
}

interface Known {
  etag: string | null;
  lastModified: string | null;
}

export type Fetched =
  | { isChanged: false }
  | ({
      isChanged: true;
      fileName: string;
      /** Throws a FetchFailure when it breaks off or takes too long. */
      content: AsyncIterable<Uint8Array>;
    } & Known);

/**
 * @param known of the file that was fetched before: then it comes only if it has changed
 * @throws FetchFailure
 */
export async function fetchFeed(address: string, known: Known, reach: Reach, signal?: AbortSignal): Promise<Fetched> {
  const late = AbortSignal.timeout(reach.waits.totalMs);
  const ends = signal ? AbortSignal.any([signal, late]) : late;
  let url = checked(address, reach.allows);
  for (let redirects = 0; ; redirects++) {
    const response = await ask(url, known, reach, ends);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) {
      response.destroy();
      if (redirects === MAX_REDIRECTS)
        throw new FetchFailure(`The address redirects more than ${MAX_REDIRECTS} times.`);
      url = checked(utf8(location), reach.allows, url);
      continue;
    }
    if (status === 304) {
      response.destroy();
      return { isChanged: false };
    }
    return opened(url, response, reach, late);
  }
}

/** Why nothing is ever fetched from there, as far as the address itself tells: where a name leads, the fetch finds out. */
export function whyNever(address: string, allows: AddressRule): string | undefined {
  try {
    checked(address, allows);
    return undefined;
  } catch (error) {
    if (error instanceof FetchFailure) return error.message;
    throw error;
  }
}

/** @throws FetchFailure for what is no http(s) address, or one that may not be fetched from */
function checked(address: string, allows: AddressRule, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    throw new FetchFailure("The address can't be read, or redirects to one that can't.");
  }
  if (!/^https?:$/.test(url.protocol))
    throw new FetchFailure("The address leads to something other than http or https.");
  if (url.port !== "" && Number(url.port) < LEAST_PORT)
    throw new FetchFailure(`Port ${url.port} is not allowed. Use 80, 443, or 1024 and above.`);
  if (url.username || url.password) throw new FetchFailure("The address has a password in it, which is not supported.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const literal = isLocalName.test(host) ? "127.0.0.1" : host;
  // A literal address is connected to without a look-up.
  if (isIP(literal) && !allows(literal)) throw new FetchFailure(refusedAddress(host));
  return url;
}

/** This machine by definition, whatever a look-up says (RFC 6761, section 6.3). */
const isLocalName = /(?:^|\.)localhost\.?$/;

function ask(url: URL, known: Known, { allows, resolve, waits }: Reach, signal: AbortSignal): Promise<IncomingMessage> {
  const lookup: LookupFunction = (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const refused = found.find(({ address }) => !allows(address));
        const [first] = found;
        if (refused || !first) callback(new FetchFailure(refusedAddress(name)), "", 0);
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      () => callback(new FetchFailure(`The name ${name} was not found. Check the address.`), "", 0),
    );
  };
  const options: RequestOptions & Pick<TcpSocketConnectOpts, "autoSelectFamilyAttemptTimeout"> = {
    lookup,
    agent: false,
    signal,
    headers: headersFor(known),
    autoSelectFamilyAttemptTimeout: CONNECT_MS,
  };
  return new Promise((done, fail) => {
    const request: ClientRequest = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, done);
    const timer = setTimeout(
      () => request.destroy(new FetchFailure("The server did not answer in time.")),
      waits.answerMs,
    );
    request.once("response", () => clearTimeout(timer));
    request.once("error", (error: NodeJS.ErrnoException) => fail(explained(error)));
    request.once("close", () => {
      clearTimeout(timer);
      // Where the server switches protocols, Node lets go of the connection without a word.
      fail(new FetchFailure(words.ECONNRESET));
    });
    request.end();
  });
}

const refusedAddress = (host: string) =>
  `${host} is not an address on the public internet, so nothing is fetched from there.`;

const headersFor = ({ etag, lastModified }: Known): Record<string, string> => ({
  "user-agent": "Aisle-Feed-Fetcher/2.0",
  accept: "text/tab-separated-values, text/csv, application/xml, application/jsonl, text/*;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip",
  ...(etag && { "if-none-match": etag }),
  ...(lastModified && { "if-modified-since": lastModified }),
});

const words: Record<string, string> = {
  ECONNREFUSED: "The server refused the connection.",
  ECONNRESET: "The server closed the connection.",
  ETIMEDOUT: "The server did not answer in time.",
  EHOSTUNREACH: "The server could not be reached.",
  ENETUNREACH: "The server could not be reached.",
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
};

/** What a certificate or a connection can have wrong with it has dozens of codes. */
const kinds: [kind: RegExp, said: string][] = [
  [/CERT|SIGNATURE/, "The server's certificate is not trusted."],
  [
    /SSL|TLS|EPROTO/,
    "There is no secure connection to the server. Check whether its address begins with http or https.",
  ],
];

function explained(error: NodeJS.ErrnoException): FetchFailure {
  if (error instanceof FetchFailure) return error;
  const code = error.code ?? "";
  const said = words[code] ?? kinds.find(([kind]) => kind.test(code))?.[1] ?? "The file could not be fetched.";
  return new FetchFailure(said, { cause: error });
}

function opened(url: URL, response: IncomingMessage, { waits }: Reach, late: AbortSignal): Fetched {
  const { headers, statusCode } = response;
  const encoding = headers["content-encoding"] ?? "identity";
  const refuse = (why: string): never => {
    response.destroy();
    throw new FetchFailure(why);
  };
  if (statusCode !== 200)
    refuse(
      `${`The server answered ${statusCode} ${quoted(response.statusMessage)}`.trim()}.${toDo.get(statusCode!) ?? ""}`,
    );
  // Gzip is kept as it comes: kept files are gzipped anyway.
  if (!/^(identity|gzip|x-gzip)$/i.test(encoding))
    refuse(`The server sent the file as ${quoted(encoding)}, which was not requested.`);
  return {
    isChanged: true,
    fileName: nameOf(url, headers["content-disposition"]),
    etag: headers.etag ?? null,
    lastModified: headers["last-modified"] ?? null,
    content: bodyOf(response, waits, late),
  };
}

const toDo = new Map([
  [401, " It wants a log-in, which is not supported: let it send the file without."],
  [403, " Let it send the file to whoever asks."],
]);

/** What a server said of itself, fit for a message: on one line, without control characters, not long. */
const quoted = (text = ""): string => cut(oneLine(clean(text)), 100);

async function* bodyOf(
  response: IncomingMessage,
  { silenceMs, stretchMs }: Reach["waits"],
  late: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const silent = () => response.destroy(new FetchFailure("The server stopped in the middle of the file."));
  let [waited, bytes, isFirst] = [0, 0, true];
  // What is read slowly, such as while our database stalls, comes slowly: the server answers for the time between alone.
  let from = performance.now();
  let timer = setTimeout(silent, silenceMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      waited += performance.now() - from;
      bytes += chunk.length;
      if (waited >= stretchMs) {
        if (!isFirst && bytes < (waited / 1000) * LEAST_RATE)
          throw new FetchFailure("The server sent the file too slowly: less than 1 kB a second.");
        [waited, bytes, isFirst] = [0, 0, false];
      }
      yield chunk;
      from = performance.now();
      timer = setTimeout(silent, silenceMs);
    }
  } catch (error) {
    if (late.aborted) throw new FetchFailure("The file took too long.");
    throw explained(error as NodeJS.ErrnoException);
  } finally {
    clearTimeout(timer);
  }
}

/** What the server calls the file, in its own alphabet before plain ASCII (RFC 6266), else the end of its path. */
function nameOf(url: URL, disposition = ""): string {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  const [, inQuotes, bare] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s"]+))/i.exec(disposition) ?? [];
  const last = url.pathname.split("/").at(-1) ?? "";
  const names = [decoded(extended), utf8(inQuotes ?? bare ?? ""), decoded(last)];
  return names.map((name = "") => cut(oneLine(clean(name)), 255)).find(Boolean) ?? url.hostname;
}

/** With `%C3%A4` as ä; as it is where that is no UTF-8. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Node reads headers as Latin-1, also where servers send UTF-8. */
function utf8(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  return isUtf8(bytes) ? bytes.toString() : text;
}
