import type { loader } from "~/routes/merchant.stores.$slug.promotions";

export type Promotion = Awaited<ReturnType<typeof loader>>["rows"][number];

const digitsOf = (currency: string) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Minor units as a person types them: 1250 EUR → "12.50". */
export const typedAmount = (amount: number, currency: string): string => {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
};

const shown = (amount: number, currency: string) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(amount / 10 ** digitsOf(currency));

/** What it takes off, in words: "15% off, free shipping, from €50.00". */
export function benefitOf({ percentOff, moneyOff, freeShipping, minimumPurchase, currency }: Promotion): string {
  const parts = [
    percentOff !== null && `${percentOff}% off`,
    moneyOff !== null && `${shown(moneyOff, currency)} off`,
    freeShipping && "free shipping",
    minimumPurchase !== null && minimumPurchase > 0 && `from ${shown(minimumPurchase, currency)}`,
  ];
  const text = parts.filter(Boolean).join(", ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
