// What the Coverage page shows of an address: view, search, country and cursor stand in it.
import type { AppLoadContext } from "@remix-run/node";
import { countryName } from "~/lib/country-name.server";

type Api = AppLoadContext["api"];

const named = <Store extends { country: string }>(store: Store) => ({ ...store, country: countryName(store.country) });

export async function coveragePage(api: Api, { searchParams }: URL) {
  const [query, country, cursor] = ["q", "country", "cursor"].map((name) => searchParams.get(name)?.trim() ?? "") as [
    string,
    string,
    string,
  ];
  const input = { query: query || undefined, country: country || undefined, cursor: cursor || undefined };
  if (searchParams.get("view") === "ended") {
    const page = await api.coverage.ended(input);
    return { ...page, view: "ended" as const, query, country, stores: page.stores.map(named) };
  }
  const page = await api.coverage.list(input);
  const countries = page.countries.map(({ code, count }) => ({ code, count, name: countryName(code) }));
  return { ...page, view: "readable" as const, query, country, countries, stores: page.stores.map(named) };
}
