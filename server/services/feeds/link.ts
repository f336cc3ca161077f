// The addresses of pages and pictures: http(s) only, as the merchant wrote them.
import type { Attribute } from "./header";
import { clean, UNREADABLE } from "./plain";
import type { Value } from "./raw-row";
import type { Reading } from "./reading";

const MAX_URL = 2_000;
const MAX_IMAGES = 20;

export const NO_ADDRESS = "is not an http(s) address of at most 2,000 characters, or has a user name in it";

/** @returns undefined, with an error, when the row has no address that can be shown */
export function readLink(from: Reading): string | undefined {
  const text = from.text("link");
  if (!text) return from.fail("link", "", "is missing");
  return webAddress(text) ?? from.fail("link", text, NO_ADDRESS);
}

/** `https://…` as given; blanks in it are escaped, as browsers do, and HTML's `&amp;` or `&#038;` is no more than an ampersand. */
function webAddress(text: string): string | undefined {
  const address = text.replaceAll(" ", "%20").replace(/&(?:amp|#0*38|#x0*26);/gi, "&");
  if (address.length > MAX_URL || address.includes(UNREADABLE)) return undefined;
  if (plainAddress.test(address)) return address;
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(address) && !/[\s<>"\\^`{}]/.test(address) && URL.canParse(address)
    ? address
    : undefined;
}
/** What nearly all addresses look like: told without the cost of parsing them. */
const plainAddress =
  /^https?:\/\/[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)+(?:[/?#][\w\-.~:/?#[\]@!$&'()*+,;=%]*)?$/i;

export interface Images {
  main: string | undefined;
  /** Other than the main one. */
  more: string[];
}

/** The first that can be shown is the main one, whatever it is called. */
export function readImages(from: Reading): Images {
  const written = new Map<string, Attribute>();
  for (const field of ["image_link", "additional_image_link"] as const) {
    for (const text of from.all(field).flatMap(addressesOf)) if (!written.has(text)) written.set(text, field);
  }
  if (written.size === 0) from.warn("image_link", "", "is missing: the product is shown without a picture");
  const images = new Set<string>();
  for (const [text, field] of written) {
    const address = webAddress(text);
    if (address) images.add(address);
    else from.warn(field, text, "is not an http(s) address; left out");
  }
  const [main, ...more] = images;
  if (more.length > MAX_IMAGES)
    from.warn("additional_image_link", String(more.length), "has more than 20 addresses; cut");
  return { main, more: more.slice(0, MAX_IMAGES) };
}

/**
 * One address, several, or a JSON array of them or of objects that have one. They may have commas of their own: only what stands
 * before the next one separates.
 */
function addressesOf(value: Value): string[] {
  const text = clean(typeof value === "string" ? value : (value.url ?? value.src ?? ""));
  const listed = text.startsWith("[") ? arrayOf(text) : text.split(/[,;|\s](?=https?:\/\/)/i);
  return listed.flatMap((one) => /^.*[^,;|\s]/s.exec(one)?.[0] ?? []);
}

/** Meta's have tags beside it. What has none is given as it is written, to be warned of. */
function addressIn(one: unknown): string {
  if (typeof one === "string") return one;
  const { url, src } = Object(one) as Record<string, unknown>;
  const address = url ?? src;
  return typeof address === "string" ? address : JSON.stringify(one);
}

function arrayOf(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter((one) => one !== null).map((one) => addressIn(one).trim()) : [text];
  } catch {
    return [text];
  }
}
