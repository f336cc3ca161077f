// All bad rows of a load as a CSV file, sent while they are read.
import { Readable } from "node:stream";
import { createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { CSV, download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const [storeId, loadId] = [args.params.storeId!, args.params.loadId!];
  const offeredAt = new URL(args.request.url).pathname.replace(/\/bad-rows$/, "");
  const { fileName, linesOf } = await load(args, (api) => api.catalogue.badRows({ storeId, loadId }), offeredAt);
  const left = new AbortController();
  const lines = Readable.from(linesOf(AbortSignal.any([args.request.signal, left.signal])));
  lines.once("close", () => left.abort());
  return download(fileName, CSV, createReadableStreamFromReadable(lines));
}
