// What the Coverage page shows of an address: view, search, country and cursor stand in it.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { type ListPage, paged, sought } from "~/lib/api.server";
import { countryName } from "~/lib/country-name.server";
import { listParams } from "~/lib/list-params.server";

type Api = LoaderFunctionArgs["context"]["api"]["coverage"];

const named = <Store extends { country: string }>(store: Store) => ({ ...store, country: countryName(store.country) });

/** @param read the lists of the consumer that the page is about */
export async function coveragePage(args: LoaderFunctionArgs, read: Pick<Api, "list" | "ended">) {
  const { query, cursor, params } = listParams(args.request);
  const country = params.get("country")?.trim() ?? "";
  const filter = { query: query || undefined, country: country || undefined };
  const look = <Found extends ListPage>(list: (input: typeof filter & { cursor?: string }) => Promise<Found>) =>
    sought(
      args,
      ["query", "country"],
      paged(args, cursor, (at) => list({ ...filter, cursor: at })),
    );
  if (params.get("view") === "ended") {
    const { found, problems } = await look(read.ended);
    const page = found ?? { ...(await read.ended({})), ...nothing };
    return { ...page, view: "ended" as const, query, country, problems, stores: page.stores.map(named) };
  }
  const { found, problems } = await look(read.list);
  const page = found ?? { ...(await read.list({})), ...nothing, total: 0 };
  const countries = page.countries.map(({ code, count }) => ({ code, count, name: countryName(code) }));
  return { ...page, view: "readable" as const, query, country, problems, countries, stores: page.stores.map(named) };
}

/** In the place of what was not looked for, since the filter cannot be read. */
const nothing = { stores: [], previous: undefined, next: undefined, isAnew: false };
