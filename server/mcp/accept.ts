// Media types in headers (RFC 9110).

/** Clients send the same few headers again and again. */
const MAX_KNOWN = 200;
const known = new Map<string, boolean>();

/** Does an Accept header take both what we send and event streams, as MCP wants it? */
export function acceptsBoth(header: string | undefined): boolean {
  if (header === undefined) return false;
  let both = known.get(header);
  if (both === undefined) {
    both = accepts(header, "application/json") && accepts(header, "text/event-stream");
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(header, both);
  }
  return both;
}

// What stands between separators outside quoted strings; a quote that is never closed goes on to the end, also where that is a
// backslash: else the rest would be searched anew from each later quote.
const RANGES = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^",])+/g;
const PARAMETERS = /(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^";])+/g;
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Is `type` named in the Accept header with a quality above 0? Ranges such as `text/*` count, but neither a bare wildcard
 * nor a range whose quality is malformed.
 */
export function accepts(header: string | undefined, type: string): boolean {
  if (!header) return false;
  const [main] = type.split("/") as [string];
  let best: { specific: boolean; q: number } | undefined;
  for (const range of header.match(RANGES) ?? []) {
    const [name = "", ...parameters] = (range.match(PARAMETERS) ?? []).map((part) => part.trim().toLowerCase());
    if (name !== type && name !== `${main}/*`) continue;
    const q = quality(parameters);
    if (q === undefined) continue;
    const specific = name === type;
    // One with other parameters, such as a profile, is beside those without.
    if (!best || (specific === best.specific ? q > best.q : specific)) best = { specific, q };
  }
  return best !== undefined && best.q > 0;
}

/** 1 unless given; undefined where it is malformed. */
function quality(parameters: string[]): number | undefined {
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  if (given === undefined) return 1;
  return QUALITY.test(given) ? Number(given) : undefined;
}

/** Is the Content-Type application/json? Parameters such as charset=utf-8 are fine. */
export const isJson = (header: string | undefined): boolean =>
  header !== undefined && header.split(";", 1)[0]!.trim().toLowerCase() === "application/json";
