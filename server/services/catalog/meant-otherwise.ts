// What is searched for as it stands in a query, and is meant otherwise: a price, what is not wanted, what is on sale, an order
// (decision 0049).
import { telling } from "./function-words";
import { info, type Message } from "./messages";
import type { Sort } from "./order";
import { isQuoted } from "./quoted";
import type { Search } from "./search";

/** @param unmet not all of the query is found anywhere */
export function meantOtherwise(search: Search, unmet: boolean): Message[] {
  const { query = "" } = search;
  return [...priceIn(query, unmet), ...negationIn(query), ...saleIn(search), ...orderIn(search)];
}

/** What stands in a query where a price is meant: "€20", "20 euros", "necklace under 20". */
const price =
  /\p{Sc}\s*\p{Nd}|\p{Nd}\s*(?:\p{Sc}|(?:euros?|eur|dollars?|usd|gbp|dirhams?|aed|درهم|دولار|يورو|ريال)(?!\p{L}))/iu;
const most =
  "under|below|less than|up to|cheaper than|até|menos de|hasta|moins de|jusqu['’]à|unter|bis|weniger als|meno di|fino a|onder|tot|minder dan|[اأ]قل من|تحت|حتى";
const mostAtEnd = new RegExp(`(?<!\\p{L})(?:${most})\\s+\\p{Nd}+$`, "iu");
const units =
  "k?g|mg|lbs?|oz|kilos?|grams?|[cmk]?m|inch(?:es)?|ft|feet|[cm]?l|lit(?:re|er)s?|hours?|days?|months?|years?|m?ah|w|watts?|[gt]b|stars?|people|persons?";
/** What may be a number of anything as well, but for a share, a size, a weight and the like that is called so. */
const bound = new RegExp(
  `(?<!\\p{L})(?:${most}|max|maximum|over|above)\\s+\\p{Nd}+(?:[.,]\\p{Nd}+)*(?![.,]?[\\p{Nd}\\p{L}]|\\s?%)(?!\\s(?:${units})(?!\\p{L}))`,
  "iu",
);

const currency = String.raw`(?:\p{Sc}|(?:euros?|eur|dollars?|usd|gbp|dirhams?|aed|درهم|دولار|يورو|ريال)(?!\p{L}))`;
const number = String.raw`\p{Nd}+(?:[.,]\p{Nd}+)*`;
const amount = `(?:${currency}\\s*${number}|${number}\\s*${currency})`;
/** "Under $50", "between 100 and 300 euros", and at the end "under 50": what is said so of an amount is no word of a thing. */
const bounds = new RegExp(
  `(?<!\\p{L})(?:between\\s+(?:${currency}\\s*)?${number}\\s+and\\s+${amount}|(?:${most}|max|maximum|over|above|more than)\\s+${amount}|(?:${most})\\s+${number}\\s*$)`,
  "giu",
);

/** A query without the bounds of a price that stand in it, and these; as it is where something is quoted. */
export function withoutPrice(query: string): { query: string; prices: string[] } {
  const prices = isQuoted(query) ? [] : (query.match(bounds) ?? []).map((price) => price.trim());
  return prices.length > 0
    ? { query: query.replace(bounds, " ").replace(/\s+/g, " ").trim(), prices }
    : { query, prices };
}

/** What `name:value` asks for in other search engines, by the filter that does. */
const fields = new Map(
  Object.entries({
    "filters.brand": "brand",
    "filters.product_type": "category product_type",
    "filters.condition": "condition",
    "filters.gtin": "gtin",
    "filters.attributes": "color colour size material gender age_group pattern",
  }).flatMap(([filter, names]) => names.split(" ").map((name) => [name, filter] as const)),
);
const field = new RegExp(`(?<!\\S)(-?)(${[...fields.keys()].join("|")}):(?=[^\\s:])`, "giu");

/** A query with the values alone of what stands in it as `brand:value`, and the filters that these belong in; as it is where something is quoted before. */
export function withoutFields(query: string): { query: string; filters: string[] } {
  if (isQuoted(query)) return { query, filters: [] };
  const filters = [...query.matchAll(field)].map(([, , name]) => fields.get(name!.toLowerCase())!);
  return { query: query.replace(field, "$1"), filters: [...new Set(filters)] };
}

export function fieldsLeftOut(filters: readonly string[]): Message {
  const content = `Values of fields in the query are searched for as plain words. To keep to them, set ${filters.join(" and ")} instead.`;
  return info("field_in_query", content, "query");
}

export function priceLeftOut(prices: readonly string[], { filters = {} }: Search): Message {
  const said = prices.map((price) => `"${price}"`).join(", ");
  const kept = filters.price ? "filters.price has the price" : "Set filters.price to keep to it";
  return info("price_in_query", `Not searched for, since it is a price: ${said}. ${kept}.`, "query");
}

function priceIn(query: string, unmet: boolean): Message[] {
  if (!price.test(query) && !mostAtEnd.test(query) && !(unmet && bound.test(query))) return [];
  const content = "A price in the query is searched for as a plain number. Put it in filters.price instead.";
  return [info("price_in_query", content, "query")];
}

/** `leather` of "handbag not leather". What does "not slip" is meant as it stands, and so is what is quoted. */
const negated = /(?<!\S)(?<!\bdo(?:es)?\s+)(?:not|except|excluding)\s+(\p{L}[\p{L}\p{M}]*)/iu;

function negationIn(query: string): Message[] {
  const [, word] = isQuoted(query) ? [] : (negated.exec(query) ?? []);
  if (word === undefined || telling([word.toLowerCase()]).length === 0) return [];
  const content = `What is not wanted is searched for, too. To leave it out, put a minus before the word: -${word}.`;
  return [info("negation_in_query", content, "query")];
}

/** German says of food, too, that it is reduced: of its sugar, salt and the like. */
const lessIn =
  "(?:zucker|salz|fett|kalorien|kohlenhydrat|koffein|alkohol|laktose|säure)(?:e?s|gehalt|anteil)?(?!\\p{L})";
const reducedFood = new RegExp(`reduziert\\p{L}*\\s+${lessIn}|${lessIn}\\s+reduziert`, "giu");

/** What is reduced, as shoppers say it in the languages that products are indexed in. */
const onSale =
  /(?<!\p{L})(?:on sale|em promo[cç][aã]o|en oferta|rebajad[oa]s?|en promo(?:tion)?|en soldes?|sold[ée]e?s|in offerta|in saldo|in promozione|scontat[oaie]|im angebot|im sale|reduziert\p{L}*|in de aanbieding|afgeprijsde?)(?!\p{L})/iu;

function saleIn({ query = "", filters }: Search): Message[] {
  if (filters?.on_sale !== undefined || isQuoted(query) || !onSale.test(query.replace(reducedFood, " "))) return [];
  const content = "Words for a sale are searched for as words. Leave them out and set filters.on_sale instead.";
  return [info("sale_in_query", content, "query")];
}

/** What comes first, as shoppers say it in the languages that products are indexed in. */
const orders: readonly [Sort, RegExp][] = [
  [
    "price_asc",
    /(?<!\p{L})(?:cheapest|least expensive|lowest[- ]priced?|m(?:ai|á)s barat[oa]s?|moins ch[eè]re?s?|g[uü]nstigste[nrs]?|billigste[nrs]?|pi[uù] economic[oahie]+|goedkoopste)(?!\p{L})/iu,
  ],
  ["price_desc", /(?<!\p{L})(?:most expensive|priciest|dearest)(?!\p{L})/iu],
  ["newest", /(?<!\p{L})(?:newest|latest|new arrivals?)(?!\p{L})/iu],
  ["rating", /(?<!\p{L})(?:best|top|highest)[- ](?:rated|reviewed)(?!\p{L})/iu],
];

function orderIn({ query = "", sort }: Search): Message[] {
  const [order] = isQuoted(query) ? [] : (orders.find(([, said]) => said.test(query)) ?? []);
  if (order === undefined || order === sort) return [];
  const content = `Words for an order are searched for as words. Leave them out and set sort to ${order} instead.`;
  return [info("order_in_query", content, "sort")];
}
