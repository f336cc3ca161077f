// The pack of the directory endpoint, for its members to download.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const { fileName, base64 } = await load(args, (api) => api.consumer.directoryPack(), "/console");
  return download(fileName, "application/zip", Buffer.from(base64, "base64"));
}
