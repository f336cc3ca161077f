// Money is integer minor units of an ISO 4217 currency; the exponent is the currency's own (JPY 0, EUR 2, KWD 3).
// Not Intl's, which goes by what people use (HUF 0) and changes with the version of Node.

/** ISO 4217, list one: the currencies whose minor unit is not a hundredth. */
const digits: Record<number, string> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};
const exponents = new Map(
  Object.entries(digits).flatMap(([exponent, codes]) => codes.split(" ").map((code) => [code, Number(exponent)])),
);

/** How many decimal digits the currency's minor unit has: EUR 2, JPY 0, KWD 3. */
export const exponent = (currency: string): number => exponents.get(currency) ?? 2;

export interface Money {
  /** Integer, in minor units. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** For showing: "€12.50", in German "12,50 €". */
  formatted: string;
}

const formats = new Map<string, Intl.NumberFormat>();
/** Callers choose the language, and there are many. */
const MOST_FORMATS = 500;

function format(currency: string, language: string): Intl.NumberFormat {
  const key = `${currency} ${language}`;
  let found = formats.get(key);
  if (!found) {
    const fraction = exponent(currency);
    const shown = { minimumFractionDigits: fraction, maximumFractionDigits: fraction };
    found = new Intl.NumberFormat(localeOf(language), { style: "currency", currency, ...shown });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(key, found);
  }
  return found;
}

const known = new Set(Intl.supportedValuesOf("currency"));

/** RFC 5646, section 4.4.1. */
const LONGEST_TAG = 35;

/** Extended languages, private use, and what is grandfathered: BCP 47 has them, Intl has not. */
const TAGS_OF_OLD =
  /^([a-z]{2,3}(-[a-z]{3}){1,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?|x(-[a-z\d]{1,8})+|en-gb-oed|i-(ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(be-fr|be-nl|ch-de))$/i;

/** Is it a BCP 47 tag, of a length that they have? */
export const isLanguage = (tag: string): boolean =>
  tag.length <= LONGEST_TAG && (isLocale(tag) || TAGS_OF_OLD.test(tag));

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** As much of a tag as Intl takes; English where that is nothing. */
function localeOf(tag: string): string {
  let locale = tag;
  while (locale !== "" && !isLocale(locale)) locale = locale.slice(0, Math.max(0, locale.lastIndexOf("-")));
  return locale || "en";
}

/** Is it an ISO 4217 code in use (upper case)? */
export const isCurrency = (code: string): boolean => known.has(code);

/**
 * @param amount integer minor units
 * @param language whose way of writing amounts it is: a BCP 47 tag
 */
export const money = (amount: number, currency: string, language = "en"): Money => ({
  amount,
  currency,
  formatted: format(currency, language).format(amount / 10 ** exponent(currency)),
});

/** The amount and its currency as people type them: 1250 EUR → "12.50 EUR". @param amount integer minor units */
export function typedMoney(amount: number, currency: string): string {
  const digits = exponent(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

/** `money`, where there may be none. */
export const maybeMoney = (amount: number | null, currency: string, language?: string): Money | undefined =>
  amount === null ? undefined : money(amount, currency, language);
