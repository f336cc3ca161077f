// Money is integer minor units of an ISO 4217 currency; the exponent is the currency's own (JPY 0, EUR 2, KWD 3).

export interface Money {
  /** Integer, in minor units. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** For showing: "€12.50". */
  formatted: string;
}

const formats = new Map<string, Intl.NumberFormat>();

function format(currency: string): Intl.NumberFormat {
  let found = formats.get(currency);
  if (!found) {
    found = new Intl.NumberFormat("en", { style: "currency", currency });
    formats.set(currency, found);
  }
  return found;
}

const known = new Set(Intl.supportedValuesOf("currency"));

/** Is it an ISO 4217 code in use (upper case)? */
export const isCurrency = (code: string): boolean => known.has(code);

/** How many decimal digits the currency's minor unit has: EUR 2, JPY 0, KWD 3. */
export function exponent(currency: string): number {
  let found = exponents.get(currency);
  if (found === undefined) {
    found = format(currency).resolvedOptions().maximumFractionDigits ?? 2;
    exponents.set(currency, found);
  }
  return found;
}

// To ask a format for its options costs more than to format with it.
const exponents = new Map<string, number>();

/** @param amount integer minor units */
export const money = (amount: number, currency: string): Money => ({
  amount,
  currency,
  formatted: format(currency).format(amount / 10 ** exponent(currency)),
});

/** `money`, where there may be none. */
export const maybeMoney = (amount: number | null, currency: string): Money | undefined =>
  amount === null ? undefined : money(amount, currency);
