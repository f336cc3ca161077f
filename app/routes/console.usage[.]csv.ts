// One table of the Usage page as CSV.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { expectShown } from "~/console/expect-shown.server";
import { load } from "~/lib/api.server";
import { CSV, download } from "~/lib/download.server";
import { rangeOf, tableOf } from "~/usage/range.server";

export async function loader(args: LoaderFunctionArgs) {
  const [range, by] = [rangeOf(args.request), tableOf(args.request)];
  const { searchParams } = new URL(args.request.url);
  const shown = searchParams.get("consumerId") ?? "";
  searchParams.delete("consumerId");
  const read = async (api: LoaderFunctionArgs["context"]["api"]) => {
    await expectShown(api, shown);
    const [csv, { consumerId }, mine] = await Promise.all([
      api.usage.csv({ range, by }),
      api.consumer.current(),
      api.consumer.mine(),
    ]);
    return { csv, slug: mine.find((membership) => membership.consumerId === consumerId)!.slug };
  };
  const { csv, slug } = await load(args, read, `/console/usage?${searchParams}`);
  return download(`aisle-usage-${slug}-${by}-${range}.csv`, CSV, csv);
}
