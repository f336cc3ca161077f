// All that is stored about the person who asks, to be saved.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { expectShown } from "~/account/expect-shown.server";
import { load } from "~/lib/api.server";
import { download, isRead } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const shown = new URL(args.request.url).searchParams.get("accountId") ?? "";
  const read = async (api: LoaderFunctionArgs["context"]["api"]) => {
    await expectShown(api, shown);
    if (isRead(args)) return JSON.stringify(await api.account.ownData(), null, 2);
    // To read all of it is recorded, and counted: for its head it is enough to be somebody.
    await api.account.profile();
    return "";
  };
  const own = await load(args, read, "/account");
  return download("aisle-data.json", "application/json; charset=utf-8", own);
}
