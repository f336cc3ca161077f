// The pack of a consumer's directory endpoint, for operators to download.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const { fileName, base64 } = await load(args, async (api) => {
    const { id } = await api.consumers.get({ slug: String(args.params.slug) });
    return api.consumers.directoryPack({ consumerId: id });
  });
  return download(fileName, "application/zip", Buffer.from(base64, "base64"));
}
