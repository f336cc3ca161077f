// What a request's first line and headers say, and what of that is believed: before anything else is done for it.
import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { Refused } from "./edge";

/** The target's path, once refusedHead() has seen it. */
export const pathOf = (req: IncomingMessage) => (req.url ?? "").split("?", 1)[0]!;

/** Node takes the first of a doubled header in silence; a proxy in front may take the last. So neither is believed. */
const once = ["host", "authorization", "content-type"];

/** @param raw names and values by turns, as they came */
function isDoubled(name: string, raw: readonly string[]): boolean {
  let times = 0;
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]!.length === name.length && raw[i]!.toLowerCase() === name) times += 1;
  return times > 1;
}

/** Refuses a first line or headers that are not to be believed. @param hosts names that are served here */
export function refusedHead(req: IncomingMessage, hosts: Set<string>): Refused | undefined {
  const { httpVersion, headers } = req;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return { status: 505, message: "Send HTTP/1.1." };
  const coding = headers["transfer-encoding"];
  // RFC 9112, 6.1: HTTP/1.0 has none, so its framing is not to be believed; no coding but chunked is known here.
  if (coding !== undefined && (httpVersion === "1.0" || coding.toLowerCase() !== "chunked"))
    return { status: 400, message: "The only Transfer-Encoding is chunked, of HTTP/1.1." };
  const doubled = once.find((name) => isDoubled(name, req.rawHeaders));
  if (doubled !== undefined) return { status: 400, message: `Send one ${doubled} header.` };
  const { host } = headers;
  if (host === undefined && httpVersion === "1.1") return { status: 400, message: "Send a Host header." };
  const name = host === undefined ? undefined : hostName(host);
  if (host !== undefined && name === undefined) return { status: 400, message: "The Host header is malformed." };
  // Addresses pass: DNS rebinding needs a name.
  if (name !== undefined && !isIP(name) && !hosts.has(name))
    return {
      status: 421,
      message:
        "This host is not served here. Call us by our public address, which operators give in BASE_URL; further names go into ALLOWED_HOSTS.",
    };
  return refusedTarget(req);
}

/** Makes `/path?query` of a target that names the whole URL, as RFC 9112 (3.2.2) wants it, if it names the same host. */
function refusedTarget(req: IncomingMessage): Refused | undefined {
  const [whole, authority, rest = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(req.url ?? "") ?? [];
  if (whole !== undefined) {
    if (authority?.toLowerCase() !== req.headers.host?.toLowerCase())
      return { status: 400, message: "The target and the Host header name different hosts." };
    req.url = rest.startsWith("/") ? rest : `/${rest}`;
  }
  const path = pathOf(req);
  // No target has a fragment; Node's parser lets it through, and whoever reads a URL drops it.
  const isTarget = !req.url?.includes("#");
  if (path.length > MOST_OF_PATH) return { status: 414, message: "The address is longer than any of ours." };
  return isTarget && isPath(path) ? undefined : { status: 400, message: "The address is malformed." };
}

/** Ours have a few hundred characters. To find a page's route takes time that grows with the square of a path's slashes. */
const MOST_OF_PATH = 2048;

/** As URLs are read (WHATWG): also escaped, but not beside an escaped slash. */
const dotSegment = /\/(\.|%2e){1,2}(\/|$)/i;

/**
 * A path that reads the same to all behind us: some take a backslash for a slash, as browsers do, and some take `..` away,
 * so that what was checked here would be another page there. PostgreSQL's text has no NUL.
 */
function isPath(path: string): boolean {
  try {
    const decoded = path.includes("%") ? decodeURIComponent(path) : path;
    return path.startsWith("/") && !dotSegment.test(path) && !decoded.includes("\\") && !decoded.includes("\0");
  } catch {
    return false;
  }
}

const LAST_PORT = 65_535;

/** The name or address of a Host header, without port and brackets; undefined when it is neither, or no URL can have it. */
function hostName(host: string): string | undefined {
  const [, six, name, port = "0"] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (Number(port) > LAST_PORT || (six !== undefined && !isIPv6(six))) return undefined;
  return (six ?? name)?.toLowerCase();
}

/** The peer, or the address that the outermost of our own proxies saw. */
export function clientAddress(req: IncomingMessage, proxies: number): string {
  const peer = req.socket.remoteAddress ?? "unknown";
  if (proxies === 0) return peer;
  const hops = String(req.headers["x-forwarded-for"] ?? "").split(",");
  const hop = hops.at(-proxies)?.trim() ?? "";
  if (isIP(hop)) return hop;
  const bare = withoutPort(hop);
  return isIP(bare) ? bare : peer;
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => hop.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");

/** Has the whole body come? `complete` says so a tick after the last byte: so its length counts as well. */
export const hasCome = (req: IncomingMessage): boolean =>
  req.complete || req.readableLength === Number(req.headers["content-length"]);
