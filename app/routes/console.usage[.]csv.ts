// One table of the Usage page as CSV.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { download, rangeOf, tableOf } from "~/usage/range.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [range, by] = [rangeOf(args.request), tableOf(args.request)];
    return download(await api.usage.csv({ range, by }), `aisle-usage-${by}-${range}.csv`);
  });
