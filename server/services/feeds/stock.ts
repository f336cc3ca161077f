// Whether an offer is to be had, and when.
import type { Attribute } from "./header";
import { parseDay, parseInstant } from "./instant";
import { isBlank, plain } from "./plain";
import type { Reading } from "./reading";
import { type Availability, availabilityOf } from "./vocabulary";

export interface Stock {
  availability: Availability;
  availabilityDate: Date | undefined;
  expiresAt: Date | undefined;
}

export function readStock(from: Reading): Stock {
  const availability = readAvailability(from);
  const expiresAt = readDate(from, "expiration_date", (text) => parseInstant(text, "end"));
  // Told as a day, and to be the merchant's.
  const availabilityDate = readDate(from, "availability_date", parseDay);
  if (!expiresAt || expiresAt > from.shop.now) return { availability, availabilityDate, expiresAt };
  from.warn("expiration_date", from.text("expiration_date")!, "has passed: counts as discontinued");
  return { availability: "discontinued", availabilityDate, expiresAt };
}

function readDate(from: Reading, field: Attribute, parse: (text: string) => Date | undefined): Date | undefined {
  const text = from.text(field);
  if (!text || isBlank(text)) return undefined;
  return parse(text) ?? from.warn(field, text, "is not a date such as 2026-03-01; left out");
}

/** What can't be read is never told as to be had. */
function readAvailability(from: Reading): Availability {
  const text = said(from, "availability");
  if (text) {
    const availability = readPieces(from, "availability", text) ?? availabilityOf(text) ?? remarked(text);
    if (availability && availability !== "unknown") return availability;
    return availability
      ? outOfStock(from, text, "says nothing")
      : unread(from, text, "is not in_stock, out_of_stock, preorder or backorder");
  }
  const counted = readQuantity(from);
  if (counted || !from.shop.tellsAvailability) return counted ?? "in_stock";
  return unread(from, from.text("availability") ?? "", "is missing");
}

function unread(from: Reading, text: string, why: string): Availability {
  from.shop.unreadAvailability++;
  return outOfStock(from, text, why);
}

function outOfStock(from: Reading, text: string, why: string): Availability {
  from.warn("availability", text, `${why}: counts as out of stock`);
  return "out_of_stock";
}

/** What stands where a count belongs: pieces, or in words whether there are any. */
function readQuantity(from: Reading): Availability | undefined {
  const text = said(from, "inventory_quantity");
  if (!text) return undefined;
  const availability = readPieces(from, "inventory_quantity", text) ?? availabilityOf(text) ?? remarked(text);
  return availability === "unknown" ? undefined : availability;
}

const counts = [/^(?<count>\d{1,9})\s+(?<said>\D+)$/, /^(?<said>[^\d(]+)\(\s*(?<count>\d{1,9})\s*\)$/];
const remark = /\s*[,;(]|\s[-–]\s/;
const time =
  /\d\s*(?:h|hours?|stunden|heures?|horas?|ore|uur|(?:business|working|work)?\s*days?|(?:werk|arbeits)?tage?n?|jours?(?:\souvr[ée]s)?|d[ií]as?|giorni?|(?:werk)?dag(?:en)?|weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken))(?!\p{L})/iu;

/** What stands beside it: how many there are (`In stock (5)`), or how long it takes to come (`In stock, ships in 24 hours`). */
function remarked(text: string): Availability | "unknown" | undefined {
  if (text.length > 100) return undefined;
  for (const pattern of counts) {
    const { said = "", count } = pattern.exec(text)?.groups ?? {};
    const availability = availabilityOf(said);
    if (availability) return availability === "in_stock" && Number(count) === 0 ? "out_of_stock" : availability;
  }
  const at = text.search(remark);
  return at > 0 && time.test(text.slice(at)) ? availabilityOf(text.slice(0, at)) : undefined;
}

/** Empty where that is no value. */
function said(from: Reading, field: Attribute): string {
  const text = plain(from.text(field) ?? "");
  return isBlank(text) ? "" : text;
}

/** What a count of pieces says: `12`, `3.0000`, and `10+` and `>5` of systems that tell no more than that. */
function readPieces(from: Reading, field: Attribute, text: string): Availability | undefined {
  const [, sign, count] = /^([-−>≥]?)\s*(\d+(?:[.,]\d+)*)\s*\+?$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  if (sign === ">") return "in_stock";
  if (!/[1-9]/.test(count)) return "out_of_stock";
  if (sign !== "-" && sign !== "−") return "in_stock";
  from.warn(field, text, "is negative: counts as 0, out of stock");
  return "out_of_stock";
}
