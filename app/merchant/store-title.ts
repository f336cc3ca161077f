import type { MetaFunction } from "@remix-run/node";
import type { loader } from "~/routes/merchant.stores.$slug";

const STORE = "routes/merchant.stores.$slug";

/** What a page of a store is called: by the store's name too, as a person of several has the same pages of each. */
export const storeTitle =
  (view?: string): MetaFunction<unknown, { [STORE]: typeof loader }> =>
  ({ matches }) => {
    const name = matches.find(({ id }) => id === STORE)?.data.name;
    return [{ title: `${view ? `${view} of ` : ""}${name} · Aisle` }];
  };
