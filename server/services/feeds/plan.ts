// What is paid over time: Google's `subscription_cost` (support.google.com/merchants/answer/7437904), beside which the price is what
// is due at checkout, and `installment` (support.google.com/merchants/answer/6324474), where it is all or a down payment, by country.
import type { Attribute as ProductAttribute } from "../../../db/schema/catalog";
import { typedMoney } from "../money";
import type { Cost } from "./cost";
import { clean, isBlank, plain } from "./plain";
import { inCurrency, type Price, parsePrice } from "./price";
import type { Reading } from "./reading";

/** In the order of Google's compact form. */
const partNames = {
  subscription_cost: ["period", "period_length", "amount"],
  installment: ["months", "amount", "downpayment", "credit_type"],
} as const;
type Field = keyof typeof partNames;

export const planNames = { subscription_cost: "subscription cost", installment: "installment" } as const;

/** As attributes, in words: what the price is then is said with them. */
export function readPlans(from: Reading, cost: Cost): ProductAttribute[] {
  return (["subscription_cost", "installment"] as const).flatMap((field) => {
    const said = from.word(field);
    if (!said) return [];
    const part = partsOf(from, field, said);
    const amount = parsePrice(inCurrency(part("amount"), part("currency")), cost.currency);
    if (typeof amount === "object" && amount.amount === 0) return [];
    const value = typeof amount === "object" && (field === "installment" ? inParts : perPeriod)(part, amount, cost);
    if (value) return [{ name: planNames[field], value }];
    from.warn(field, said, `is not ${partNames[field].join(":")}; left out`);
    return [];
  });
}

const AT_CHECKOUT = "the price is what is due at checkout";

type Part = (name: string) => string;

function partsOf(from: Reading, field: Field, said: string): Part {
  const value = from.all(field)[0]!;
  const texts = said.split(":");
  const parts: Readonly<Record<string, string | undefined>> =
    typeof value === "string" ? Object.fromEntries(partNames[field].map((name, i) => [name, texts[i]])) : value;
  return (name) => plain(clean(parts[name] ?? ""));
}

const COUNT = /^[1-9]\d{0,3}$/;
const several = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function perPeriod(part: Part, { amount, currency }: Price): string | undefined {
  const period = /^(week|month|year)s?$/i.exec(part("period"))?.[1]?.toLowerCase();
  if (!period || !COUNT.test(part("period_length"))) return undefined;
  const length = several(Number(part("period_length")), period);
  return `${typedMoney(amount, currency)} a ${period} for ${length}; ${AT_CHECKOUT}`;
}

function inParts(part: Part, { amount, currency }: Price, cost: Cost): string | undefined {
  const [months, first] = [part("months"), part("downpayment")];
  const down = isBlank(first) ? undefined : parsePrice(first, currency);
  if (!COUNT.test(months) || typeof down === "string" || (down && down.currency !== currency)) return undefined;
  const kind = /^lease$/i.test(part("credit_type")) ? "monthly lease payment" : "monthly payment";
  const total = Number(months) * amount;
  const said = `${several(Number(months), kind)} of ${typedMoney(amount, currency)}`;
  if (down && down.amount > 0) {
    const isPrice = currency === cost.currency && down.amount === cost.price;
    const paid = isPrice ? "the price as down payment" : `a down payment of ${typedMoney(down.amount, currency)}`;
    return `${said} after ${paid}, ${typedMoney(total + down.amount, currency)} in all`;
  }
  const inAll = `${said}, ${typedMoney(total, currency)} in all`;
  if (cost.price === 0) return `${inAll}; ${AT_CHECKOUT}`;
  // Each payment may be rounded.
  const mayBeDown = !down && (currency !== cost.currency || total > cost.price + Number(months));
  return mayBeDown ? `${inAll}; the price may be a down payment alone` : inAll;
}
