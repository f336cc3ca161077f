// Global Trade Item Numbers (GS1 General Specifications 7.9): one form for UPC, EAN, ISBN-13 and GTIN-14.

/** What spreadsheets are to take as text: `'4006381333931`, `="4006381333931"`. As a number it ends in `.0`. */
const asText = /^(?:'|=")([^"]+)"?$/;

/**
 * @param text as in the feed; spaces and hyphens are ignored. Restricted ranges (02, 04, 2) are taken as given.
 * @returns 14 digits, padded on the left; or the reason why it is none
 */
export function parseGtin(text: string): { gtin: string } | string {
  const [, number] = asText.exec(text) ?? [];
  const digits = (number ?? text).replace(/\.0+$/, "").replace(/[\s-]/g, "");
  if (!/^\d+$/.test(digits)) return "is not a number of digits only";
  if (![8, 12, 13, 14].includes(digits.length)) return `has ${digits.length} digits; a GTIN has 8, 12, 13 or 14`;
  if (/^0+$/.test(digits)) return "consists of zeros";
  const gtin = digits.padStart(14, "0");
  return checkDigit(gtin.slice(0, 13)) === Number(gtin[13]) ? { gtin } : "has a wrong check digit";
}

/** Weights 3 and 1 by turns from the right; what is missing to the next ten. */
export function checkDigit(digits: string): number {
  let sum = 0;
  for (let i = digits.length - 1, weight = 3; i >= 0; i--, weight = 4 - weight) sum += Number(digits[i]) * weight;
  return (10 - (sum % 10)) % 10;
}
