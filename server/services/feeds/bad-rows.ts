// Every bad row of a load, however many: read from its kept file again, so that they need no room of their own.
import type { z } from "zod";
import type { Ctx, Merchant } from "../../context";
import { type CsvColumn, csv } from "../../csv";
import { notFound } from "../../errors";
import { turns } from "../turns";
import { readBack } from "./files";
import type { LoadRef } from "./loads";
import { owns, type Store } from "./own-store";
import { offersOf } from "./read";
import { type FeedIssue, Issues, Refusal } from "./report";

interface Row extends Store {
  fileId: string | null;
  fileName: string;
  startedAt: Date;
  issues: FeedIssue[];
}

/**
 * The errors of a load as CSV, a line at a time; only the first thousand once its file is no longer kept. The reader ends them by
 * a signal: where no row is bad no line ever comes, so that there is nothing else to stop at.
 * @throws DomainError not_found
 */
export async function badRows(
  ctx: Ctx<Merchant>,
  { storeId, loadId }: z.infer<typeof LoadRef>,
): Promise<{ fileName: string; linesOf: (signal: AbortSignal) => AsyncGenerator<string> }> {
  const { sql, actor } = ctx;
  const [row] = await sql<Row[]>`
    select s.id, s.currency, s.currencies, s.url, s.country, l.file_id as "fileId", l.file_name as "fileName", l.started_at as "startedAt", l.issues
    from feed_loads l join stores s on s.id = l.store_id
    where l.id = ${loadId} and l.store_id = ${storeId} and l.finished_at is not null and ${owns(sql, actor)}`;
  if (!row) throw notFound("load");
  const name = row.fileName.replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-").replace(/(\.\w{1,5}){0,2}$/, "");
  const linesOf = (signal: AbortSignal) => csv(columns, one(errorsOf(ctx, row, signal)));
  return { fileName: `${name || "feed"}-bad-rows.csv`, linesOf };
}

const columns: CsvColumn<FeedIssue>[] = [
  { header: "line", cell: ({ line }) => (line === 0 ? null : line) },
  { header: "field", cell: ({ field }) => field },
  { header: "value", cell: ({ value }) => value },
  { header: "reason", cell: ({ reason }) => reason },
];

async function* one<T>(each: AsyncIterable<T>): AsyncGenerator<T[]> {
  for await (const item of each) yield [item];
}

/** Issues as they are found, none remembered. */
class Passing extends Issues {
  found: FeedIssue[] = [];
  protected override keep(issue: FeedIssue): void {
    if (issue.severity === "error") this.found.push(issue);
  }
}

/** Reading takes the processor: for one at a time, and between its batches for the others, so that nobody who dawdles holds them up. */
const inTurn = turns(1);
const takingTurns = <T>(batches: AsyncGenerator<T>): AsyncIterable<T> => ({
  [Symbol.asyncIterator]: () => ({
    next: () => inTurn(() => batches.next()),
    return: () => batches.return(undefined),
  }),
});

async function* errorsOf(ctx: Ctx, row: Row, signal: AbortSignal): AsyncGenerator<FeedIssue> {
  const whole = row.issues.filter(({ line, severity }) => line === 0 && severity === "error");
  if (!row.fileId) return yield* row.issues.filter(({ severity }) => severity === "error");
  const issues = new Passing();
  const shop = { ...row, now: row.startedAt };
  const content = readBack(ctx, row.fileId);
  const stop = () => content.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const source = { content, fileName: row.fileName, shop };
  try {
    for await (const _ of takingTurns(offersOf(source, { format: "csv", rows: 0, rejected: 0 }, issues))) {
      if (signal.aborted) return;
      yield* issues.found.splice(0);
    }
    yield* issues.found;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield* issues.found;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  yield* whole;
}
