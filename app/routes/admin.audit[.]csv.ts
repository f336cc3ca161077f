// What the audit page's filter finds, as a file; it streams, so its length is no matter.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { filterIn } from "~/desk/audit-filters";
import { load } from "~/lib/api.server";
import { CSV, download } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(args.request.url);
  const filter = filterIn(searchParams);
  const exported = (api: LoaderFunctionArgs["context"]["api"]) => {
    type Input = Parameters<typeof api.audit.export>[0];
    return api.audit.export(filter as Input);
  };
  const pieces = await load(args, exported, `/admin/audit${search}`);
  return download(`aisle-audit-${new Date().toISOString().slice(0, 10)}.csv`, CSV, streamed(pieces));
}

/** A piece is made when the last one was taken; whoever goes away stops the making. */
function streamed(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
