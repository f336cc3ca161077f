// All that is stored about the person who asks, to be saved.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { expectShown } from "~/account/expect-shown.server";
import { load } from "~/lib/api.server";
import { download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const shown = new URL(args.request.url).searchParams.get("accountId") ?? "";
  const read = async (api: LoaderFunctionArgs["context"]["api"]) => {
    await expectShown(api, shown);
    return api.account.ownData();
  };
  const own = await load(args, read, "/account");
  return download("aisle-data.json", "application/json; charset=utf-8", JSON.stringify(own, null, 2));
}
