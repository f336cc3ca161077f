// What clients report of themselves in `_meta` and headers: cleaned, coarse, never refused, and of no weight for access.
import type { ClientReport } from "../pipeline";
import { isObject } from "./jsonrpc";

/** What of `_meta` is read, under whatever vendor's prefix. */
export const reported = ["locale", "userLocation", "session", "subject", "userAgent"] as const;
const VENDOR_KEY = new RegExp(`^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?/(${reported.join("|")})$`, "i");
const MAX_TEXT = 100;
/** How many of its names are looked at: clients send a handful, and each malformed locale takes some microseconds to refuse. */
const MOST_NAMES = 50;

/**
 * What a request says of its client and its end user.
 * @param params of the JSON-RPC request, unchecked
 * @param userAgent the User-Agent header, for clients that do not name themselves
 */
export function clientReport(params: unknown, userAgent: string | undefined): ClientReport {
  const given = isObject(params) ? params : {};
  const meta = isObject(given._meta) ? given._meta : {};
  const vendors = Object.keys(meta)
    .slice(0, MOST_NAMES)
    .flatMap((key): Said[] => {
      const name = VENDOR_KEY.exec(key)?.[1];
      return name ? [{ name: name.toLowerCase(), value: meta[key] }] : [];
    });
  const info = isObject(given.clientInfo) ? given.clientInfo : {};
  const location = first(vendors, "userlocation", (value) => (isObject(value) ? value : undefined)) ?? {};
  return {
    clientName: clean(info.name) ?? first(vendors, "useragent", clean) ?? clean(userAgent),
    locale: first(vendors, "locale", locale),
    country: country(location.country),
    region: place(location.region),
    city: place(location.city),
    session: first(vendors, "session", token),
    subject: first(vendors, "subject", token),
  };
}

interface Said {
  /** In lower case, without the vendor's prefix. */
  name: string;
  value: unknown;
}

/** Of what vendors say under a name the first that is well-formed. */
function first<T>(vendors: Said[], name: string, read: (value: unknown) => T | undefined): T | undefined {
  for (const said of vendors) {
    const told = said.name === name ? read(said.value) : undefined;
    if (told !== undefined) return told;
  }
  return undefined;
}

/**
 * Text fit to be stored and shown: one line, bounded, with nothing that turns its direction, and neither NUL nor lone
 * surrogates, which PostgreSQL does not take.
 */
function clean(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .slice(0, MAX_TEXT)
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, " ")
    .trim();
  return text === "" ? undefined : text;
}

/** A name alone: what holds a digit may be coordinates or a postal code, which are not kept (decision 0027). */
function place(value: unknown): string | undefined {
  const name = clean(value);
  return name !== undefined && /\p{Nd}/u.test(name) ? undefined : name;
}

function locale(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 35) return undefined;
  try {
    return Intl.getCanonicalLocales(value.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

const country = (value: unknown) =>
  typeof value === "string" && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : undefined;

/** Hashed before it is stored, so only its length is bounded. */
const token = (value: unknown) =>
  typeof value === "string" && value !== "" && value.length <= 1000 ? value : undefined;
