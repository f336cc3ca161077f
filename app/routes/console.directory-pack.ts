// The pack of the directory endpoint, for its members to download.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { expectShown } from "~/console/expect-shown.server";
import { load } from "~/lib/api.server";
import { download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const shown = new URL(args.request.url).searchParams.get("consumerId") ?? "";
  const read = async (api: LoaderFunctionArgs["context"]["api"]) => {
    await expectShown(api, shown);
    return api.consumer.directoryPack();
  };
  const { fileName, base64 } = await load(args, read, "/console");
  return download(fileName, "application/zip", Buffer.from(base64, "base64"));
}
