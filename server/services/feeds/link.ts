// The addresses of pages and pictures: http(s) only, as the merchant wrote them.
import { clean, UNREADABLE } from "./plain";
import type { Reading } from "./reading";

const MAX_URL = 2_000;
const MAX_IMAGES = 20;

export function readLink(from: Reading): string | undefined {
  const text = from.text("link");
  if (!text) return from.fail("link", "", "is missing");
  return webAddress(text) ?? from.fail("link", text, "is not an http(s) address of at most 2,000 characters");
}

/** `https://…` as given; blanks in it are escaped, as browsers do. */
function webAddress(text: string): string | undefined {
  const address = text.includes(" ") ? text.replaceAll(" ", "%20") : text;
  if (address.length > MAX_URL || address.includes(UNREADABLE)) return undefined;
  if (plainAddress.test(address)) return address;
  return /^https?:\/\/[^/\s\\]/i.test(address) && !/[\s<>"\\^`{}]/.test(address) && URL.canParse(address)
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

export function readImages(from: Reading): Images {
  const text = from.text("image_link");
  const main = text && webAddress(text);
  if (!text) from.warn("image_link", "", "is missing: the product is shown without a picture");
  else if (!main) from.warn("image_link", text, "is not an http(s) address; left out");
  const more = new Set<string>();
  for (const value of from.all("additional_image_link")) {
    // Addresses may have commas of their own: only a comma before the next address separates.
    const texts = typeof value === "string" ? clean(value).split(/[,;|\s]+(?=https?:\/\/)/i) : [];
    for (const one of texts) {
      if (!one) continue;
      const address = webAddress(one);
      if (!address) from.warn("additional_image_link", one, "is not an http(s) address; left out");
      else if (address !== main) more.add(address);
    }
  }
  if (more.size > MAX_IMAGES) from.warn("additional_image_link", String(more.size), "has more than 20 addresses; cut");
  return { main: main || undefined, more: [...more].slice(0, MAX_IMAGES) };
}
