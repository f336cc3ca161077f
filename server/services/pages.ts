// Pages of a list that people turn in both directions. A cursor says where a page begins and which way it is read.
import type { Ctx } from "../context";
import { type CursorKey, decodeCursor, encodeCursor } from "./cursor";

type Query = Record<string, unknown> & { cursor?: string | undefined };
type KeyType = "string" | "number" | "boolean";

/** Where a page stands: beyond `key` in the list's order or, read backwards, before it. */
export interface Turn {
  key: CursorKey | undefined;
  back: boolean;
}

/** The cursors of the pages before and after. */
export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
}

export interface Page<Row> extends Neighbours {
  rows: Row[];
}

/**
 * @param types what the list's sort key consists of, ending in a part that is unique
 * @throws DomainError cursor_invalid, invalid_arguments (another query's cursor)
 */
export function turnOf(ctx: Pick<Ctx, "secretKeys">, query: Query, types: readonly KeyType[]): Turn {
  const decoded = decodeCursor(ctx, query, ["boolean", ...types]);
  if (!decoded) return { key: undefined, back: false };
  const [back, ...key] = decoded;
  return { key, back: back === true };
}

/**
 * @param found in the order in which they were read, one more than `limit` if there are more
 * @param keyOf the sort key of a row
 */
export function pageOf<Row>(
  ctx: Pick<Ctx, "secretKeys">,
  query: Query,
  { key, back }: Turn,
  { found, limit, keyOf }: { found: readonly Row[]; limit: number; keyOf: (row: Row) => CursorKey },
): Page<Row> {
  const rows = back ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const goesOn = found.length > limit;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasPrevious = back ? goesOn : key !== undefined;
  const hasNext = back || goesOn;
  return {
    rows,
    previous: first && hasPrevious ? encodeCursor(ctx, query, [true, ...keyOf(first)]) : undefined,
    next: last && hasNext ? encodeCursor(ctx, query, [false, ...keyOf(last)]) : undefined,
  };
}
