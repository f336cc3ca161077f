// Google's `shipping`: sub-elements in XML, `IE::Standard:4.95 EUR,…` elsewhere (support.google.com/merchants/answer/6324484).
import type { Shipping } from "../../../db/schema/catalog";
import { isCountry } from "../countries";
import { clean, cut, isBlank } from "./plain";
import { parsePrice } from "./price";
import type { Reading, Shop } from "./reading";

const MAX_WAYS = 100;
const days = {
  min_handling_days: "min_handling_time",
  max_handling_days: "max_handling_time",
  min_transit_days: "min_transit_time",
  max_transit_days: "max_transit_time",
} as const;

/** What holds for a part of a country alone. */
const narrower = ["region", "postal_code", "location_id", "location_group_name"];
/** The files that have been told that such ways are left out: once is enough. */
const told = new WeakSet<Shop>();

/** @param currency of the row's price: that of bare prices */
export function readShipping(from: Reading, currency: string): Shipping[] {
  const ways: Shipping[] = [];
  for (const value of from.all("shipping")) {
    for (const parts of typeof value === "string" ? compact(clean(value)) : [value]) {
      const text = typeof value === "string" ? value : Object.values(value).join(":");
      if (narrower.some((name) => !isBlank(clean(parts[name] ?? "")))) {
        if (!told.has(from.shop))
          from.warn("shipping", text, "is for a part of a country alone; left out, like every such way in the file");
        told.add(from.shop);
        continue;
      }
      const way = shippingOf(parts, currency);
      if (typeof way === "object") ways.push(way);
      else from.warn("shipping", text, `${way}; left out`);
    }
  }
  if (ways.length > MAX_WAYS) from.warn("shipping", String(ways.length), `has more than ${MAX_WAYS} ways; cut`);
  return ways.slice(0, MAX_WAYS);
}

/** `country:region:service:price[:min_handling:max_handling:min_transit:max_transit]`; decimal commas do not separate. */
function compact(text: string): Readonly<Record<string, string>>[] {
  if (!text) return [];
  return text.split(/[,;](?=\s*(?:[A-Za-z]{2}\s*)?:)/).map((entry) => {
    const parts = entry.split(":").map((part) => part.trim());
    const at = parts.findIndex((part, i) => /\d/.test(part) && i >= Math.min(parts.length - 1, 3));
    const [country = "", ...middle] = parts.slice(0, at);
    const [region, service] = middle.length > 1 ? middle : ["", middle[0]];
    const [price = "", ...times] = at < 0 ? [] : parts.slice(at);
    const named = Object.fromEntries(Object.values(days).map((name, i) => [name, times[i] ?? ""]));
    return { country, region: region ?? "", service: service ?? "", price, ...named };
  });
}

function shippingOf(parts: Readonly<Record<string, string>>, currency: string): Shipping | string {
  const part = (name: string) => clean(parts[name] ?? "");
  const price = parsePrice(part("price"), currency);
  if (typeof price === "string") return price;
  const way: Shipping = { price: price.amount, currency: price.currency };
  const country = part("country").toUpperCase();
  if (country && !isCountry(country)) return "names no country of ISO 3166-1";
  if (country) way.country = country;
  const service = part("service");
  if (service) way.service = cut(service, 100);
  for (const [name, source] of Object.entries(days) as [keyof typeof days, string][]) {
    const text = part(source);
    if (/^\d{1,3}$/.test(text)) way[name] = Number(text);
  }
  const least = part("min_order_value") || part("min_order_amount") || part("order_amount_threshold");
  const minimum = least ? parsePrice(least, price.currency) : undefined;
  if (typeof minimum === "object" && minimum.currency === price.currency) way.min_order_amount = minimum.amount;
  return way;
}
