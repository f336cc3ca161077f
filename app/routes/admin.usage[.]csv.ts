// One table of the operators' Usage page as CSV.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { CSV, download } from "~/lib/download.server";
import { rangeOf, tableOf } from "~/usage/range.server";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [range, by] = [rangeOf(args.request), tableOf(args.request)];
    const consumer = new URL(args.request.url).searchParams.get("consumer") || undefined;
    return download(
      `aisle-usage-${consumer ?? "all"}-${by}-${range}.csv`,
      CSV,
      await api.usage.csvAny({ range, by, consumer }),
    );
  });
