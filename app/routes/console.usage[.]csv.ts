// One table of the Usage page as CSV.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { CSV, download } from "~/lib/download.server";
import { rangeOf, tableOf } from "~/usage/range.server";

export async function loader(args: LoaderFunctionArgs) {
  const [range, by] = [rangeOf(args.request), tableOf(args.request)];
  const { search } = new URL(args.request.url);
  const csv = await load(args, (api) => api.usage.csv({ range, by }), `/console/usage${search}`);
  return download(`aisle-usage-${by}-${range}.csv`, CSV, csv);
}
