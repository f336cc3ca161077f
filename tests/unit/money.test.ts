import { describe, expect, it } from "vitest";
import { exponent, isCurrency, money } from "../../server/services/money";

describe("money", () => {
  it.each([
    [1250, "EUR", "€12.50"],
    [1250, "JPY", "¥1,250"],
    [1250, "KWD", "KWD 1.250"],
    [0, "USD", "$0.00"],
    [1_999_000, "HUF", "HUF 19,990.00"],
    [123456789, "GBP", "£1,234,567.89"],
  ])("%d minor units of %s are %s", (amount, currency, formatted) => {
    expect(money(amount, currency).formatted.replaceAll("\u00a0", " ")).toBe(formatted);
  });

  it.each([
    ["de", "12,50 €"],
    ["en-IE", "€12.50"],
    ["pt-BR", "€ 12,50"],
  ])("is written in the language asked for, %s: %s", (language, formatted) => {
    expect(money(1250, "EUR", language).formatted.replaceAll("\u00a0", " ")).toBe(formatted);
  });

  it("knows each currency's own exponent, and which codes are currencies", () => {
    expect(["EUR", "JPY", "KWD"].map(exponent)).toEqual([2, 0, 3]);
    // Which people write without decimals, or with other ones: ISO 4217 decides, so that no version of Node changes amounts.
    expect(["HUF", "IDR", "COP", "IQD", "CLF"].map(exponent)).toEqual([2, 2, 2, 3, 4]);
    expect(isCurrency("EUR")).toBe(true);
    expect(["eur", "XXQ", "", "EURO"].map(isCurrency)).toEqual([false, false, false, false]);
  });
});
