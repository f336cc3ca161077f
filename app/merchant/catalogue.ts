import type { loader } from "~/routes/merchant.catalogue.$storeId";
import type { Tone } from "~/ui/tone";

export type Page = Awaited<ReturnType<typeof loader>>;
export type Catalogue = Page["catalogue"];
export type Load = NonNullable<Catalogue["current"]>;
export type Source = NonNullable<Page["source"]>;

export const outcomes: Record<Load["outcome"], [label: string, tone: Tone]> = {
  waiting: ["Waiting", "neutral"],
  loading: ["Loading", "accent"],
  loaded: ["Loaded", "success"],
  refused: ["Refused", "danger"],
  failed: ["Failed", "danger"],
};

export const isUnderWay = (load: Pick<Load, "outcome"> | null) =>
  load?.outcome === "waiting" || load?.outcome === "loading";

/** Where it came from, in words. */
export function originOf({ source, requestedBy }: Pick<Load, "source" | "requestedBy">): string {
  const by = requestedBy ? ` by ${requestedBy}` : "";
  return {
    upload: `Uploaded${by}`,
    restore: `Restored${by}`,
    url: "Fetched",
    import: requestedBy ? `Imported${by}` : "Imported by the operator",
  }[source];
}

export const formats: Record<string, string> = {
  tsv: "Google product data, TSV",
  csv: "Google product data, CSV",
  rss: "Google product data, RSS",
  atom: "Google product data, Atom",
  "openai-jsonl": "OpenAI product feed, JSONL",
  "openai-csv": "OpenAI product feed, CSV",
  "shopify-csv": "Shopify product export, CSV",
  "woocommerce-csv": "WooCommerce product export, CSV",
};

export const catalogueOf = (storeId: string) => `/merchant/catalogue/${storeId}`;
export const loadOf = (storeId: string, loadId: string) => `${catalogueOf(storeId)}/loads/${loadId}`;
