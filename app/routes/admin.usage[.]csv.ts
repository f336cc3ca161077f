// One table of the operators' Usage page as CSV.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { CSV, download } from "~/lib/download.server";
import { rangeOf, tableOf } from "~/usage/range.server";

export async function loader(args: LoaderFunctionArgs) {
  const [range, by] = [rangeOf(args.request), tableOf(args.request)];
  const { search, searchParams } = new URL(args.request.url);
  const consumer = searchParams.get("consumer") || undefined;
  const csv = await load(args, (api) => api.usage.csvAny({ range, by, consumer }), `/admin/usage${search}`);
  return download(`aisle-usage-${consumer ?? "all-platforms"}-${by}-${range}.csv`, CSV, csv);
}
