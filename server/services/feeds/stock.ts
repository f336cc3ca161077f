// Whether an offer is to be had, and when.
import type { Attribute } from "./header";
import { parseInstant } from "./instant";
import { isBlank } from "./plain";
import type { Reading } from "./reading";
import { type Availability, availabilityOf } from "./vocabulary";

export interface Stock {
  availability: Availability;
  availabilityDate: Date | undefined;
  expiresAt: Date | undefined;
}

export function readStock(from: Reading): Stock | undefined {
  const availability = readAvailability(from);
  const expiresAt = readDate(from, "expiration_date", "end");
  const availabilityDate = readDate(from, "availability_date", "start");
  if (!availability) return undefined;
  if (!expiresAt || expiresAt > from.shop.now) return { availability, availabilityDate, expiresAt };
  from.warn("expiration_date", expiresAt.toISOString(), "has passed: counts as discontinued");
  return { availability: "discontinued", availabilityDate, expiresAt };
}

function readDate(from: Reading, field: Attribute, edge: "start" | "end"): Date | undefined {
  const text = from.text(field);
  if (!text || isBlank(text)) return undefined;
  return parseInstant(text, edge) ?? from.warn(field, text, "is not an ISO 8601 date; left out");
}

function readAvailability(from: Reading): Availability | undefined {
  const text = from.text("availability");
  if (text) {
    const availability = availabilityOf(text);
    if (!availability) return from.fail("availability", text, "is not in_stock, out_of_stock, preorder or backorder");
    if (availability !== "unknown") return availability;
    from.warn("availability", text, "says nothing: counts as out of stock");
    return "out_of_stock";
  }
  return readQuantity(from) ?? (from.shop.tellsAvailability ? from.fail("availability", "", "is missing") : "in_stock");
}

/** What a count of pieces (`12`, `3.0000`) says of it. */
function readQuantity(from: Reading): Availability | undefined {
  const text = from.text("inventory_quantity");
  if (!text || !/^[-−]?\d+(?:[.,]\d+)*$/.test(text)) return undefined;
  if (!/[1-9]/.test(text)) return "out_of_stock";
  if (/^\d/.test(text)) return "in_stock";
  from.warn("inventory_quantity", text, "is negative: counts as 0, out of stock");
  return "out_of_stock";
}
