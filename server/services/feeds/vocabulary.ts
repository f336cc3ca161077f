// The words that feeds use for availability and condition: Google's, OpenAI's, schema.org's and shop systems' own.
import type { products } from "../../../db/schema/catalog";

export type Availability = (typeof products.$inferSelect)["availability"];
export type Condition = (typeof products.$inferSelect)["condition"];

const availabilities: Record<Availability | "unknown", string> = {
  in_stock: "instock available availablefororder limitedavailability instoreonly onlineonly madetoorder yes true 1",
  out_of_stock: "outofstock soldout unavailable notavailable reserved no false 0",
  preorder: "preorder presale",
  backorder: "backorder backordered onbackorder availableonbackorder",
  discontinued: "discontinued",
  unknown: "unknown",
};
const conditions: Record<Condition, string> = {
  new: "new brandnew neu nouveau neuf nuevo nuovo novo nieuw ny nowy",
  refurbished:
    "refurbished renewed reconditioned certifiedrefurbished manufacturerrefurbished generalüberholt reconditionné",
  used: "used secondhand preowned likenew openbox damaged gebraucht occasion usado usato gebruikt brugt begagnad używany",
};

const lookup = <T extends string>(words: Record<T, string>): Map<string, T> =>
  new Map(Object.entries<string>(words).flatMap(([key, list]) => list.split(" ").map((word) => [word, key as T])));
const availabilityWords = lookup(availabilities);
const conditionWords = lookup(conditions);

/** `in stock`, `In-Stock` and `https://schema.org/InStock` are one word. */
const word = (text: string): string =>
  text
    .replace(/^.*schema\.org\//i, "")
    .toLowerCase()
    .replace(/[\s_-]/g, "");

export const availabilityOf = (text: string): Availability | "unknown" | undefined => availabilityWords.get(word(text));
export const conditionOf = (text: string): Condition | undefined =>
  conditionWords.get(word(text).replace(/condition$/, ""));
