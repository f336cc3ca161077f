// What an offer costs, and when it costs less.
import { exponent } from "../money";
import { NO_DATES, parseSaleDate, parseWindow, saysNoWindow, type Window, windowOf } from "./instant";
import { isBlank, plain } from "./plain";
import { currencyNamed, type Price, parsePrice } from "./price";
import type { Reading } from "./reading";

export interface Cost {
  currency: string;
  /** Integer minor units. */
  price: number;
  sale: Sale | undefined;
}
interface Sale extends Window {
  /** Integer minor units, lower than the price. */
  price: number;
}

/** @returns undefined, with an error, when the row has no price that can be read */
export function readCost(from: Reading): Cost | undefined {
  const text = from.text("price");
  if (!text) return from.fail("price", "", "is missing");
  const price = priceOf(from, "price", readCurrency(from));
  if (typeof price === "string") return from.fail("price", text, price);
  if (price.rounded) from.warn("price", text, `has more decimals than ${price.currency}; rounded`);
  if (!from.shop.currencies.includes(price.currency))
    from.warn("price", text, `is not in a currency of the store (${from.shop.currencies.join(", ")}); kept as written`);
  return {
    currency: price.currency,
    ...(readReduced(from, price) ?? { price: price.amount, sale: readSale(from, price) }),
  };
}

/** What costs less now than it does otherwise, where its price, and its sale price if it has one, is what it costs now. */
function readReduced(from: Reading, price: Price): Pick<Cost, "price" | "sale"> | undefined {
  if (!from.text("regular_price")) return undefined;
  const regular = priceOf(from, "regular_price", price.currency);
  if (typeof regular === "string" || regular.currency !== price.currency || regular.amount <= price.amount)
    return undefined;
  const said = plain(from.text("sale_price") ?? "");
  const sale = isBlank(said) ? price : priceOf(from, "sale_price", price.currency);
  if (typeof sale === "string" || sale.amount !== price.amount || price.amount === 0) return undefined;
  const window = readWindow(from);
  return window && { price: regular.amount, sale: { price: price.amount, ...window } };
}

/** What the row's bare amounts are in. */
function readCurrency(from: Reading): string {
  const home = from.shop.currency;
  const text = from.word("currency");
  if (!text) return home;
  const currency = currencyNamed(text, home);
  if (!currency) from.warn("currency", text, `is no currency of ISO 4217: bare prices count as ${home}`);
  return currency ?? home;
}

/** Also JSON's `{"amount": 89.99, "currency": "USD"}`, and Google's with `value`. What is whole may be cents: not to be guessed. */
function priceOf(from: Reading, field: "price" | "sale_price" | "regular_price", home: string): Price | string {
  const value = from.all(field)[0]!;
  if (typeof value === "string") return parsePrice(plain(from.text(field)!), home);
  const amount = value.amount ?? value.value ?? "";
  const price = parsePrice(plain(`${amount} ${value.currency ?? value.currency_code ?? ""}`), home);
  const mayBeMinor = value.amount !== undefined && /^\s*\d+\s*$/.test(amount);
  return typeof price === "object" && mayBeMinor && exponent(price.currency) > 0
    ? `can be read in two ways, in ${price.currency} or in its minor unit; write it as text such as 89.99 ${price.currency}`
    : price;
}

function readSale(from: Reading, price: { amount: number; currency: string }): Sale | undefined {
  const text = from.text("sale_price");
  if (!text || isBlank(plain(text))) return undefined;
  // A bare sale price is in the currency of its price.
  const sale = priceOf(from, "sale_price", price.currency);
  const reason = typeof sale === "string" ? sale : noSaleBecause(sale, price);
  if (reason || typeof sale === "string") return from.warn("sale_price", text, `${reason}; taken as no sale`);
  if (sale.amount === price.amount) return undefined;
  if (sale.rounded) from.warn("sale_price", text, `has more decimals than ${price.currency}; rounded`);
  const window = readWindow(from);
  return window && { price: sale.amount, start: window.start, end: window.end };
}

type Amount = { amount: number; currency: string };

function noSaleBecause(sale: Amount, price: Amount): string | undefined {
  if (sale.currency !== price.currency) return "is not in the currency of the price";
  if (sale.amount > price.amount) return "is higher than the price";
  return sale.amount === 0 && price.amount > 0 ? "is zero" : undefined;
}

/** When the sale holds; undefined when that can't be told, so that there is no sale. */
function readWindow(from: Reading): Window | undefined {
  const [text, start, end, lastDay] = (
    ["sale_price_effective_date", "sale_price_start_date", "sale_price_end_date", "special_price_to_date"] as const
  ).map((field) => {
    const said = from.text(field);
    return said === undefined || saysNoWindow(said) ? undefined : said;
  });
  const until = end ?? lastDay;
  if (!text && !start && !until) return { start: undefined, end: undefined };
  const first = start && parseSaleDate(start, "start");
  const last = until && parseSaleDate(until, end ? "end" : "last day");
  const readable = !(start && !first) && !(until && !last);
  const window = text ? parseWindow(text) : readable ? windowOf(first || undefined, last || undefined) : NO_DATES;
  if (typeof window === "object") return window;
  return from.warn("sale_price_effective_date", text ?? `${start ?? ""}/${until ?? ""}`, `${window}; taken as no sale`);
}
