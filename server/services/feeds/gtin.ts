// Global Trade Item Numbers (GS1 General Specifications 7.9): one form for UPC, EAN, ISBN-13 and GTIN-14.

/** What it is called, before it. */
const called = /^(?:gtin|ean|upc|isbn)(?:-?1[0-4])?\s*:?\s*(?=\d)/i;
/** What spreadsheets make of a number of more than eleven digits. */
const scientific = /^(\d)[.,](\d{1,13})E\+?(1[0-3])$/i;
/** What spreadsheets are to take as text: `'4006381333931`, `="4006381333931"`. As a number it ends in `.0`. */
const asText = /^(?:'|=")([^"]+)"?$/;

/**
 * @param text as in the feed; spaces and hyphens are ignored. Restricted ranges (02, 04, 2) are taken as given.
 * @returns 14 digits, padded on the left; or the reason why it is none
 */
export function parseGtin(text: string): { gtin: string } | string {
  const [, number] = asText.exec(text) ?? [];
  const [, first, more = "", exponent] = scientific.exec(number ?? text) ?? [];
  if (more.length < Number(exponent)) return LOST;
  const written = first === undefined ? (number ?? text) : first + more;
  const digits = written.replace(called, "").replace(/\.0+$/, "").replace(/[\s-]/g, "");
  if (!/^\d+$/.test(digits)) return "is not a number of digits only";
  const gtin = digits.padStart(14, "0");
  const fits = checkDigit(gtin.slice(0, 13)) === Number(gtin[13]);
  if (![8, 12, 13, 14].includes(digits.length)) {
    const zeros = fits && digits.length > 8 && digits.length < 14 ? ZEROS : "";
    return `has ${digits.length} ${digits.length === 1 ? "digit" : "digits"}; a GTIN has 8, 12, 13 or 14${zeros}`;
  }
  if (/^0+$/.test(digits)) return "consists of zeros";
  return fits ? { gtin } : "has a wrong check digit";
}

const LOST = "has lost its last digits in a spreadsheet: make its column text there, and export it again";
const ZEROS = ": a spreadsheet may have taken the zeros from its beginning";

/** Weights 3 and 1 by turns from the right; what is missing to the next ten. */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = digits.length - 1, weight = 3; i >= 0; i--, weight = 4 - weight) sum += Number(digits[i]) * weight;
  return (10 - (sum % 10)) % 10;
}
