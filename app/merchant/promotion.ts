import type { loader } from "~/routes/merchant.stores.$slug.promotions";

export type Promotion = Awaited<ReturnType<typeof loader>>["rows"][number];

/** What it takes off, in words: "15% off, free shipping, from €50.00". */
export function benefitOf({ percentOff, moneyOff, freeShipping, minimumPurchase }: Promotion): string {
  const parts = [
    percentOff !== null && `${percentOff}% off`,
    moneyOff && `${moneyOff.formatted} off`,
    freeShipping && "free shipping",
    minimumPurchase && minimumPurchase.amount > 0 && `from ${minimumPurchase.formatted}`,
  ];
  const text = parts.filter(Boolean).join(", ");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
