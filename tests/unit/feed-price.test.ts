import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePrice } from "../../server/services/feeds/price";

const read = (text: string, home = "EUR") => {
  const price = parsePrice(text, home);
  return typeof price === "string" ? price : `${price.amount} ${price.currency}${price.rounded ? " rounded" : ""}`;
};

describe("a price in a feed", () => {
  it.each([
    ["12.50 EUR", "1250 EUR"],
    ["EUR 12.50", "1250 EUR"],
    ["eur12.50", "1250 EUR"],
    ["1,234.50 USD", "123450 USD"],
    ["1.234,50 EUR", "123450 EUR"],
    ["1 234,50 EUR", "123450 EUR"],
    ["1\u202f234,50 €", "123450 EUR"],
    ["1'234.50 CHF", "123450 CHF"],
    ["1'234.500 CHF", "123450 CHF"],
    ["1,23,456.00 INR", "12345600 INR"],
    ["1,234,567 USD", "123456700 USD"],
    ["1.234.567 EUR", "123456700 EUR"],
    ["1,234 USD", "123400 USD"],
    ["12.50", "1250 EUR"],
    ["12,5", "1250 EUR"],
    ["12", "1200 EUR"],
    ["$12.50 CAD", "1250 CAD"],
    ["USD 12.50 $", "1250 USD"],
    ["12.50 € EUR", "1250 EUR"],
    ["12,- €", "1200 EUR"],
    ["€ 1.234,–", "123400 EUR"],
    ["0.5 EUR", "50 EUR"],
    [".99 EUR", "99 EUR"],
    ["0.500 EUR", "50 EUR"],
    ["+5 EUR", "500 EUR"],
    ["0 EUR", "0 EUR"],
    ["£12.50", "1250 GBP"],
    ["12.50 Euro", "1250 EUR"],
    ["EURO 12,50", "1250 EUR"],
    ["R$ 12,90", "1290 BRL"],
    ["1250 JPY", "1250 JPY"],
    ["1,250 JPY", "1250 JPY"],
    ["1.250 JPY", "1250 JPY"],
    ["1.250 KWD", "1250 KWD"],
    ["12.3456 EUR", "1235 EUR rounded"],
    ["12.3449 EUR", "1234 EUR rounded"],
    ["0.125 EUR", "13 EUR rounded"],
    ["12.5000 EUR", "1250 EUR"],
    ["1234.500 EUR", "123450 EUR"],
    ["1299,000 EUR", "129900 EUR"],
    ["1234,500 KWD", "1234500 KWD"],
    ["1234.567 EUR", "123457 EUR rounded"],
    ["9999999999.99 EUR", "999999999999 EUR"],
    ["0.999999 EUR", "100 EUR rounded"],
  ])("%s is %s", (text, expected) => expect(read(text)).toBe(expected));

  it.each([
    ["", /not a price/],
    ["EUR", /not a price/],
    ["free", /not a price/],
    ["-5.00 EUR", /negative/],
    ["EUR -5.00", /negative/],
    ["−5 EUR", /negative/],
    ["-€5", /negative/],
    ["- € 5.00", /negative/],
    ["12.50- EUR", /negative/],
    ["12.50 XXQ", /no currency/],
    ["12.50 Taler", /no currency/],
    ["USD 12.50 EUR", /several currencies/],
    ["€12.50 USD", /no currency/],
    ["$12.50 EUR", /no currency/],
    ["$12.50", /no currency/],
    ...["constructor", "toString", "__proto__"].map((name): [string, RegExp] => [`12.50 ${name}`, /no currency/]),
    ["1.234 EUR", /two ways/],
    ["9.999 EUR", /two ways/],
    ["129.990 EUR", /two ways/],
    ["1,234 KWD", /two ways/],
    ["12,34,5.6 EUR", /no readable order/],
    ["1.2.3,4,5 EUR", /no readable order/],
    ["1,2,3 EUR", /no readable order/],
    ["12345678901 EUR", /absurdly high/],
    ["1e5 EUR", /not a price|no currency/],
    ["9".repeat(100), /not a price/],
    [".", /not a price/],
  ])("%s is none", (text, reason) => expect(read(text)).toMatch(reason));

  it.each([
    ["1,234 KWD", "1234.00", "1.234"],
    ["1.234 EUR", "1234.00", "1.23"],
  ])("of which %s may be either tells how to write each, so that it is read so", (text, larger, smaller) => {
    expect(read(text)).toBe(`can be read in two ways; write ${larger} or ${smaller}`);
    const currency = text.slice(-3);
    const amount = (written: string) => Number(read(`${written} ${currency}`).split(" ")[0]);
    const minor = 10 ** smaller.split(".")[1]!.length;
    expect([amount(larger), amount(smaller)]).toEqual([1234 * minor, Math.round(Number(smaller) * minor)]);
  });

  it.each([
    ["Rs.500", "PKR", "50000 PKR"],
    ["Rs. 1,500", "INR", "150000 INR"],
    ["kr.199", "DKK", "19900 DKK"],
    ["Kr. 1.299,00", "DKK", "129900 DKK"],
    ["199,00 kr.", "DKK", "19900 DKK"],
    ["kr. 199,-", "NOK", "19900 NOK"],
    ["Fr. 12.50", "CHF", "1250 CHF"],
    ["12.50 EUR.", "EUR", "1250 EUR"],
    ["EUR.50", "EUR", "50 EUR"],
    ["EUR .50", "EUR", "50 EUR"],
  ])("%s in %s is %s: a dot behind an abbreviation is not the amount's", (text, home, expected) => {
    expect(read(text, home)).toBe(expected);
  });

  it.each([
    ["US$12.50", "USD"],
    ["US$ 12.50", "EUR"],
    ["12.50 NZ$", "NZD"],
    ["CA$12.50", "CAD"],
  ])("%s names its dollar, in a store of %s too", (text, home) => {
    expect(read(text, home)).toMatch(/^1250 (USD|NZD|CAD)$/);
  });

  it("takes a dollar sign for the store's own dollar", () => {
    expect(read("$12.50", "CAD")).toBe("1250 CAD");
  });

  it("reads every amount in every notation to the last minor unit", () => {
    const notations: ((whole: string, cents: string) => string)[] = [
      (whole, cents) => `${grouped(whole, ",")}.${cents} EUR`,
      (whole, cents) => `EUR ${grouped(whole, ".")},${cents}`,
      (whole, cents) => `${grouped(whole, "\u00a0")},${cents} €`,
      (whole, cents) => `${grouped(whole, "’")}.${cents}`,
      (whole, cents) => `${whole}.${cents}EUR`,
      (whole, cents) => `${whole},${cents}`,
    ];
    fc.assert(
      fc.property(fc.nat(999_999_999_999), fc.constantFrom(...notations), (amount, notation) => {
        const digits = String(amount).padStart(3, "0");
        expect(read(notation(digits.slice(0, -2), digits.slice(-2)))).toBe(`${amount} EUR`);
      }),
      { numRuns: 500 },
    );
  });

  it("answers any text with an integer or a reason", () => {
    const unit = fc.constantFrom(..."0123456789.,' -+€$EURSD\u00a0");
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit, maxLength: 20 })), (text) => {
        const price = parsePrice(text, "EUR");
        expect(typeof price === "string" || (Number.isSafeInteger(price.amount) && price.amount >= 0)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

const grouped = (whole: string, separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);
