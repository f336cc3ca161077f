// Fields that the inputs of several operations share.
import { z } from "zod";
import { isCurrency } from "./money";

export const HttpUrl = z.httpUrl().max(2000);

/** A date (its first moment in UTC) or a date and time with its offset, ISO 8601. */
export const Instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform((text) => new Date(text));

/** Integer minor units, with their currency. */
export const Amount = z.strictObject({
  amount: z.int().min(0),
  currency: z.string().refine(isCurrency, "must be an ISO 4217 code such as EUR"),
});

/** An issue for each element whose key an earlier one has. */
export function refuseRepeats<T>(items: readonly T[], keyOf: (item: T) => string, path: string, ctx: z.RefinementCtx) {
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const key = keyOf(item);
    if (seen.has(key)) ctx.addIssue({ code: "custom", path: [path, i], message: `repeats ${key}` });
    seen.add(key);
  });
}
