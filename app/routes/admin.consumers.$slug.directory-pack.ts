// The pack of a consumer's directory endpoint, for operators to download.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const slug = String(args.params.slug);
  const pack = async (api: LoaderFunctionArgs["context"]["api"]) => {
    const { id } = await api.consumers.get({ slug });
    return api.consumers.directoryPack({ consumerId: id });
  };
  const { fileName, base64 } = await load(args, pack, `/admin/consumers/${encodeURIComponent(slug)}`);
  return download(fileName, "application/zip", Buffer.from(base64, "base64"));
}
