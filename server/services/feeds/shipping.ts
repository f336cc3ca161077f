// Google's `shipping`: sub-elements in XML, `IE::Standard:4.95 EUR,…` elsewhere (support.google.com/merchants/answer/6324484),
// the order from which it is free, and the times that a row states for all of its ways.
import type { Shipping } from "../../../db/schema/catalog";
import { isCountry } from "../countries";
import { clean, cut, isBlank, plain } from "./plain";
import { inCurrency, parsePrice } from "./price";
import { MAX_VALUES } from "./raw-row";
import type { Reading, Shop } from "./reading";

const MAX_WAYS = 100;
/** Ours and Google's name, in the order of its compact form. */
const days = [
  ["min_handling_days", "min_handling_time"],
  ["max_handling_days", "max_handling_time"],
  ["min_transit_days", "min_transit_time"],
  ["max_transit_days", "max_transit_time"],
] as const;
type Times = Partial<Record<(typeof days)[number][0], number>>;
const spans = [days.slice(0, 2), days.slice(2)];

/** What holds for a part of a country alone. */
const narrower = ["region", "postal_code", "location_id", "location_group_name"];
/** The files that have been told that such ways are left out: once is enough. */
const told = new WeakSet<Shop>();

/** @param currency of the row's price: that of bare prices */
export function readShipping(from: Reading, currency: string): Shipping[] {
  const ways: Shipping[] = [];
  const usual = readTimes(from);
  let room = MAX_VALUES;
  for (const field of ["shipping", "free_shipping_threshold"] as const) {
    for (const value of from.all(field)) {
      for (const stated of typeof value === "string" ? compact(plain(clean(value)), room) : [plainParts(value)]) {
        room = Math.max(0, room - 1);
        const text = typeof value === "string" ? value : Object.values(value).join(":");
        const parts: Readonly<Record<string, string>> = field === "shipping" ? stated : freeFrom(stated);
        if (narrower.some((name) => !isBlank(clean(parts[name] ?? "")))) {
          if (!told.has(from.shop))
            from.warn(field, text, "is for a part of a country alone; left out, like every such way in the file");
          told.add(from.shop);
          continue;
        }
        const way = shippingOf(parts, currency);
        if (typeof way === "object")
          ways.push(withTimes(field === "shipping" ? way : { ...cheapestTo(way.country, ways), ...way }, usual));
        else from.warn(field, text, `${way}; left out`);
      }
    }
  }
  if (ways.length > MAX_WAYS) from.warn("shipping", String(ways.length), `has more than ${MAX_WAYS} ways; cut`);
  return ways.slice(0, MAX_WAYS);
}

/**
 * Google's `free_shipping_threshold` (support.google.com/merchants/answer/14768922), `country:price_threshold`: from that much on
 * the cheapest way there costs nothing.
 */
const freeFrom = ({
  country = "",
  price = "",
  price_threshold = price,
  currency = "",
}: Readonly<Record<string, string>>) => ({
  country,
  currency,
  price: price_threshold && "0",
  min_order_amount: price_threshold,
});

const cheapestTo = (country: string | undefined, ways: Shipping[]): Shipping | undefined =>
  ways
    .slice(0, MAX_WAYS)
    .reduce<Shipping | undefined>(
      (best, way) =>
        (!way.country || way.country === country) && way.price < (best?.price ?? Number.POSITIVE_INFINITY) ? way : best,
      undefined,
    );

/** What the row states for those that do not say their own. */
function readTimes(from: Reading): Times {
  const times: Times = {};
  for (const [name, source] of days) {
    const text = from.word(source);
    if (text === undefined) continue;
    if (isDays(text)) times[name] = Number(text);
    else from.warn(source, text, "is not a number of days; left out");
  }
  return times;
}

const plainParts = (parts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, plain(clean(text))]));

const isDays = (text: string): boolean => /^\d{1,3}$/.test(text);

/** Where a way says one end of a span, the row's other end need not go with it. */
function withTimes(way: Shipping, usual: Times): Shipping {
  const times = { ...usual };
  for (const span of spans)
    if (span.some(([name]) => way[name] !== undefined)) for (const [name] of span) delete times[name];
  return { ...way, ...times };
}

/** `country:region:service:price[:min_handling:max_handling:min_transit:max_transit]`; decimal commas do not separate. */
function compact(text: string, most: number): Readonly<Record<string, string>>[] {
  if (!text) return [];
  return text.split(/[,;](?=\s*(?:[A-Za-z]{2}\s*)?:)/, most).map((entry) => {
    const parts = entry.split(":").map((part) => part.trim());
    const at = parts.findIndex((part, i) => /\d/.test(part) && i >= Math.min(parts.length - 1, 3));
    const [country = "", ...middle] = parts.slice(0, at);
    const [region, service] = middle.length > 1 ? middle : ["", middle[0]];
    const [price = "", ...times] = at < 0 ? [] : parts.slice(at);
    const named = Object.fromEntries(days.map(([, name], i) => [name, times[i] ?? ""]));
    return { country, region: region ?? "", service: service ?? "", price, ...named };
  });
}

function shippingOf(parts: Readonly<Record<string, string>>, currency: string): Shipping | string {
  const part = (name: string) => clean(parts[name] ?? "");
  const price = parsePrice(inCurrency(part("price"), part("currency")), currency);
  if (typeof price === "string") return price;
  const way: Shipping = { price: price.amount, currency: price.currency };
  const given = part("country").toUpperCase();
  // Reserved for the United Kingdom, and often written.
  const country = given === "UK" ? "GB" : given;
  if (country && !isCountry(country)) return "names no country of ISO 3166-1";
  if (country) way.country = country;
  const service = part("service");
  if (service) way.service = cut(service, 100);
  for (const [name, source] of days) {
    const text = part(source);
    if (isDays(text)) way[name] = Number(text);
  }
  const least = part("min_order_value") || part("min_order_amount") || part("order_amount_threshold");
  if (isBlank(least)) return way;
  const minimum = parsePrice(least, price.currency);
  if (typeof minimum === "string" || minimum.currency !== price.currency)
    return "has a minimum order that is no amount in the currency of its price";
  way.min_order_amount = minimum.amount;
  return way;
}
