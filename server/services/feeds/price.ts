// Prices as merchants write them, to integer minor units: integer arithmetic on the digits, never a float.
import { exponent, isCurrency } from "../money";

export interface Price {
  /** Integer minor units of `currency`. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** There were more decimals than the currency has: rounded half up. */
  rounded: boolean;
}

/** More digits before the decimal point than this are a mistake, in any currency. */
const MAX_WHOLE_DIGITS = 10;
const spaces = /[\s\u00a0\u2007\u2009\u202f]+/g;

/**
 * Reads `12.50 EUR`, `EUR 12.50`, `1,234.50 USD`, `1.234,50 EUR`, `1 234,50 €`, `12,- €`, `$12.50 USD`, `kr. 12,50` and a bare `12.50`.
 * @param home the store's currency: taken where none is written, and the one that a symbol may stand for
 * @returns the price, or the reason why it is none
 */
export function parsePrice(text: string, home: string): Price | string {
  if (text.length > 60) return "is not a price such as 12.50 EUR";
  const parts = /^(\D*?)([-+−]?\s*[\d.,'’](?:[\d.,'’\s\u00a0\u2007\u2009\u202f]*[\d.,])?)\s*(\D*)$/u.exec(
    withoutDots(text.trim()),
  );
  if (!parts) return "is not a price such as 12.50 EUR";
  const [, before, number, behind] = parts as unknown as [string, string, string, string];
  // A dash that stands for decimals (12,- €) is no minus; one before the currency (-€5) or behind the number (12.50-) is.
  const after = /[.,]$/.test(number) ? behind.replace(/^[-−–—]+\s*/, "") : behind;
  if (/[-−]/.test(number) || /^[-−]/.test(before) || /^[-−]/.test(after)) return "is negative";
  const beside = `${before} ${after}`.trim();
  const currency = currencyOf(beside, home);
  if (!currency)
    return `names ${isSeveral(beside) ? "several currencies" : "no currency of ISO 4217"} (${beside}); write it such as 12.50 EUR`;
  const digits = decimalOf(number.replace(/^\+/, "").trim(), exponent(currency));
  if (typeof digits === "string") return digits;
  return inMinorUnits(digits, currency);
}

/** The dot behind `kr.` and `Rs.` is the word's own, and would make 0.50 of `Rs.50`; behind a code (`EUR.50`) it is the amount's. */
const withoutDots = (text: string): string =>
  text.replace(/(\p{L}+)\.(?=(\s|$)|\d)/gu, (said, word: string, end?: string) =>
    end === undefined && isCurrency(word.toUpperCase()) ? said : word,
  );

/** `12.50 €`, `$12.50 CAD`: all that stands beside the number must mean the same. */
function currencyOf(beside: string, home: string): string | undefined {
  const [name, ...others] = beside.split(/\s+/);
  if (!name) return home;
  if (others.length === 0) return currencyNamed(name, home);
  const code = [name, ...others].map((one) => one.toUpperCase()).find(isCurrency) ?? home;
  const currency = currencyNamed(name, code);
  return others.every((other) => currencyNamed(other, code) === currency) ? currency : undefined;
}

/** What is said of an amount beside it stands beside what it says itself: a price that names another currency is none. */
export const inCurrency = (text: string, currency: string): string =>
  currency && /\d/.test(text) ? `${text} ${currency}` : text;

const isSeveral = (beside: string): boolean =>
  beside.split(/\s+/).filter((name) => isCurrency(name.toUpperCase())).length > 1;

/** @param home the currency that a sign may stand for which several have */
export function currencyNamed(name: string, home: string): string | undefined {
  const code = name.toUpperCase();
  if (isCurrency(code)) return code;
  const said = name.toLowerCase();
  if (said === symbolOf(home).toLowerCase() || said === alsoCalled.get(home)) return home;
  if (/^euros?$/.test(said)) return "EUR";
  // `US$`, `NZ$`
  const dollar = `${/^([A-Z]{2})\$$/.exec(code)?.[1]}D`;
  return isCurrency(dollar) ? dollar : signs.get(name);
}

/** Beside their signs. */
const alsoCalled = new Map([
  ["CHF", "fr"],
  ["INR", "rs"],
]);

/** Signs of one currency alone. */
const signs = new Map([
  ["€", "EUR"],
  ["£", "GBP"],
  ["zł", "PLN"],
  ["₹", "INR"],
  ["R$", "BRL"],
]);

interface Decimal {
  whole: string;
  fraction: string;
}

/** Which separator is the decimal one? The last, if there are two kinds; a reason where it can't be told. */
function decimalOf(number: string, digits: number): Decimal | string {
  const unspaced = number.replace(spaces, " ");
  const points = unspaced.split(".").length - 1;
  const commas = unspaced.split(",").length - 1;
  if (points + commas === 0) return whole(unspaced, "");
  const last = unspaced.lastIndexOf(".") > unspaced.lastIndexOf(",") ? "." : ",";
  const at = unspaced.lastIndexOf(last);
  const [head, tail] = [unspaced.slice(0, at), unspaced.slice(at + 1)];
  const mixed = points > 0 && commas > 0;
  if (mixed) return whole(head, tail);
  if (points + commas > 1) return whole(unspaced, "");
  // One separator only. Three digits after it are thousands or decimals, and which of them must not be guessed.
  // More than three before it are no group of thousands: then it is the decimal one.
  if (tail.length !== 3 || head.length > 3 || /^0*$/.test(head) || /\D/.test(head)) return whole(head, tail);
  if (last === "." && digits === 3) return whole(head, tail);
  if ((last === "," && digits !== 3) || digits === 0) return whole(unspaced, "");
  return `can be read in two ways; write ${head}${tail}.00 or ${head}.${tail.padEnd(digits, "0").slice(0, digits)}`;
}

/** `head` without its thousands separators, which must stand where they belong (also 1,23,456 as in India). */
function whole(head: string, fraction: string): Decimal | string {
  if (!/^\d*$/.test(fraction)) return "has its separators in no readable order";
  if (/^\d*$/.test(head)) return head || fraction ? { whole: head, fraction } : "is not a price such as 12.50 EUR";
  const separator = /\D/.exec(head)![0];
  const groups = head.split(separator);
  const fits = groups.every((group, i) =>
    i === 0 ? /^\d{1,3}$/.test(group) : i === groups.length - 1 ? /^\d{3}$/.test(group) : /^\d{2,3}$/.test(group),
  );
  return fits ? { whole: groups.join(""), fraction } : "has its separators in no readable order";
}

function inMinorUnits({ whole, fraction }: Decimal, currency: string): Price | string {
  const significant = whole.replace(/^0+/, "");
  if (significant.length > MAX_WHOLE_DIGITS) return "is absurdly high";
  const digits = exponent(currency);
  const kept = Number(`0${significant}${fraction.slice(0, digits).padEnd(digits, "0")}`);
  const rest = fraction.slice(digits);
  const up = rest >= "5" ? 1 : 0;
  return { amount: kept + up, currency, rounded: /[1-9]/.test(rest) };
}

const symbols = new Map<string, string>();
function symbolOf(currency: string): string {
  let symbol = symbols.get(currency);
  if (symbol === undefined) {
    const parts = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "narrowSymbol" });
    symbol = parts.formatToParts(1).find((part) => part.type === "currency")?.value ?? currency;
    symbols.set(currency, symbol);
  }
  return symbol;
}
