import type { loader as access } from "~/routes/admin.consumers.$slug._index";
import type { loader } from "~/routes/admin.review.$slug";

/** What a decision is made from. */
export type Review = Awaited<ReturnType<typeof loader>>;
export type Act = Review["acts"][number];
export type Usage = Review["usage"];
export type Verdict = NonNullable<Review["domain"]>["verdict"];
/** What of a consumer's limits is used, and its terms. */
export type InUse = Awaited<ReturnType<typeof access>>["inUse"];
