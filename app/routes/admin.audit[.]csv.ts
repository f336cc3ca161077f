// What the audit page's filter finds, as a file; it streams, so its length is no matter.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { type Filter, filterIn } from "~/desk/audit-filters";
import { load } from "~/lib/api.server";
import { CSV, download, isRead } from "~/lib/download.server";

export async function loader(args: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(args.request.url);
  const filter = filterIn(searchParams);
  const exported = async (api: LoaderFunctionArgs["context"]["api"]) => {
    type Input = Parameters<typeof api.audit.export>[0];
    const pieces = await api.audit.export(filter as Input);
    // What fails before the first piece is there is said on a page.
    return isRead(args) ? begun(pieces) : pieces;
  };
  const pieces = await load(args, exported, `/admin/audit${search}`);
  const name = ["aisle-audit", ...partsOf(filter), new Date().toISOString().slice(0, 10)].join("-");
  return download(`${name}.csv`, CSV, streamed(pieces));
}

/** A part of a name is as long as an id at most: with all of the filter it is still one that file systems take. */
const MOST = 36;

/** What was looked for, as usage's files have it in their names: some records are not to be taken for all. */
const partsOf = ({ from, to, ...rest }: Filter): string[] =>
  [...Object.values(rest), from && `from-${from}`, to && `through-${to}`]
    .filter((part) => part !== undefined)
    .map((part) => part.slice(0, MOST));

/** The same pieces, of which the first is made already. */
async function begun(pieces: AsyncGenerator<string>): Promise<AsyncGenerator<string>> {
  const first = await pieces.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
}

/** A piece is made when it is asked for, the first one too; whoever goes away stops the making. */
function streamed(pieces: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
