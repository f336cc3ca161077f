import { EyeOff, PackageSearch } from "lucide-react";
import type { loader } from "~/routes/merchant.agents.$platform";
import { Dotted } from "~/ui/dotted";
import { EmptyState, NotSought } from "~/ui/empty-state";
import { Facts } from "~/ui/facts";
import { JsonView } from "~/ui/json-view";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Panels } from "~/ui/panels";
import { SearchForm } from "~/ui/search-form";

type Preview = Awaited<ReturnType<typeof loader>>["preview"];

/** What the search gave, as far as cards show it; the JSON beside has all of it. */
interface Found {
  products: {
    product_id: string;
    title: string;
    brand?: string;
    price: { formatted: string };
    sale_price?: { formatted: string };
    availability: { status: string };
  }[];
}

/** What the platform is answered about the store, right now: asked of the same tools, but not counted. */
export function PreviewPanel({
  preview,
  query,
  problem,
  platform,
  store,
  storeName,
}: {
  preview: Preview;
  query: string;
  /** What is wrong with the query. */
  problem: string | undefined;
  platform: string;
  store: string;
  storeName: string;
}) {
  const { info, found } = preview;
  const all = `?${new URLSearchParams({ store })}`;
  return (
    <Panel
      description={`What ${platform} gets about ${storeName} now, from the same tools. Looking here is not counted.`}
      flush
      title="What it sees"
    >
      {info.refusal ? (
        <EmptyState icon={EyeOff} title="It sees nothing of this store">
          Each call gets <Mono>{info.refusal.code}</Mono>: {info.refusal.message}
        </EmptyState>
      ) : (
        <div className="flex flex-col">
          <div className="p-4 md:px-6">
            <SearchForm clearTo={query !== "" && all} error={problem} label="Search as the platform" value={query}>
              <input name="store" type="hidden" value={store} />
            </SearchForm>
          </div>
          <Panels
            label="View"
            panels={[
              { label: "Products", content: <Products all={all} found={found} query={query} /> },
              { label: "Store", content: <Info of={info.answer ?? {}} /> },
              {
                label: "Raw search",
                content: <JsonView first open={2} value={found?.answer ?? found?.refusal} />,
              },
              { label: "Raw store", content: <JsonView open={1} value={info.answer} /> },
            ]}
          />
        </div>
      )}
    </Panel>
  );
}

function Products({ found, query, all }: { found: Preview["found"]; query: string; all: string }) {
  if (!found) return <NotSought all={all} />;
  if (found.refusal) return <p className="p-6 text-muted text-sm">{found.refusal.message}</p>;
  const { products } = found.answer as unknown as Found;
  if (products.length === 0) {
    return (
      <EmptyState icon={PackageSearch} title={query ? `It finds nothing for “${query}”` : "It finds no product"}>
        {query ? "Try other words." : "Load a catalogue for the platform to find its products."}
      </EmptyState>
    );
  }
  return (
    <ul
      className="divide-y divide-line"
      data-said={`It finds ${products.length} ${products.length === 1 ? "product" : "products"}`}
    >
      {products.map(({ product_id, title, brand, price, sale_price, availability }) => (
        <li className="flex items-baseline justify-between gap-x-6 px-4 py-3 md:px-6" key={product_id}>
          <span className="flex min-w-0 flex-col">
            <span className="own-direction text-left wrap-anywhere font-medium text-sm">{title}</span>
            <span className="wrap-anywhere text-[0.8125rem] text-muted">
              <Dotted>{[brand, product_id].filter(Boolean)}</Dotted>
            </span>
          </span>
          <span className="flex shrink-0 flex-col items-end text-sm tabular-nums">
            <span className="font-medium">{(sale_price ?? price).formatted}</span>
            <span className="block text-[0.8125rem] text-muted first-letter:uppercase">
              {availability.status.replaceAll("_", " ")}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Info({ of }: { of: Record<string, unknown> }) {
  const text = (name: string) => (typeof of[name] === "string" ? (of[name] as string) : null);
  const list = (name: string) => (Array.isArray(of[name]) ? (of[name] as string[]).join(", ") : null);
  const facts: [string, string | null][] = [
    ["Name", text("name")],
    ["Description", text("description")],
    ["Website", text("url")],
    ["Country", text("country")],
    ["Currencies", list("currencies")],
    ["Categories", list("categories")],
    ["Has data for", list("capabilities")],
    ["Shipping", text("shipping_policy")],
  ];
  return (
    <div className="p-4 md:p-6">
      <Facts facts={facts.filter(([, value]) => Boolean(value))} />
    </div>
  );
}
