// All that is stored about the person who asks, to be saved.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const own = await load(args, (api) => api.account.ownData(), "/account");
  return download("aisle-data.json", "application/json; charset=utf-8", JSON.stringify(own, null, 2));
}
