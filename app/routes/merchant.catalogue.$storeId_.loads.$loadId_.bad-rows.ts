// All bad rows of a load as a CSV file, sent while they are read.
import { Readable } from "node:stream";
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";

export async function loader(args: LoaderFunctionArgs) {
  const [storeId, loadId] = [args.params.storeId!, args.params.loadId!];
  const { fileName, linesOf } = await load(args, (api) => api.catalogue.badRows({ storeId, loadId }));
  return new Response(createReadableStreamFromReadable(Readable.from(linesOf(args.request.signal))), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });
}
