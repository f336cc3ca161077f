// Keyset cursors: opaque to clients, bound to the query that they came from, and signed: what comes back is what was given.
import { hash } from "node:crypto";
import { DomainError } from "../errors";
import { isSigned, type Signer, sign } from "./signing";

export type CursorKey = (string | number | boolean | null)[];

/**
 * A short fingerprint of a query without its position. The same query has the same one again, even where it says nothing
 * in another way (`filters: {}`).
 */
function fingerprint(query: Record<string, unknown>): string {
  const { cursor: _cursor, limit: _limit, view: _view, order: _order, ...rest } = query;
  return hash("sha256", JSON.stringify(sorted(rest)), "base64url").slice(0, 11);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)] as const)
      .filter(([, v]) => !isEmpty(v)),
  );
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

const MAC_BYTES = 12;

/** What tells a release's order from another's. */
const orderOf = ({ order }: Record<string, unknown>) => (typeof order === "number" ? [`order ${order}`] : []);

/**
 * @param query `order` is the release's: another one once rows come in another order
 * @param key the sort values of the last row given out, ending in one that is unique
 */
export function encodeCursor(ctx: Signer, query: Record<string, unknown>, key: CursorKey): string {
  const payload = Buffer.from(JSON.stringify([fingerprint(query), ...orderOf(query), ...key])).toString("base64url");
  return `${payload}.${sign(ctx, "cursor", payload, MAC_BYTES).toString("base64url")}`;
}

/**
 * The key that `encodeCursor` was given; undefined without a cursor.
 * @param types what the key must consist of, position by position ("?" allows null)
 * @throws DomainError cursor_invalid when it is not one of ours, or of a release with another order; invalid_arguments when it belongs to another query
 */
export function decodeCursor(
  ctx: Signer,
  query: Record<string, unknown> & { cursor?: string | undefined },
  types: readonly ("string" | "number" | "boolean" | "string?" | "number?")[],
): CursorKey | undefined {
  if (query.cursor === undefined) return undefined;
  const [payload = "", mac = ""] = query.cursor.split(".");
  const given = Buffer.from(mac, "base64url");
  // Node skips what is not base64url, so more than the signature may stand there.
  const isWhole = query.cursor === `${payload}.${given.toString("base64url")}`;
  if (!isWhole || !isSigned(ctx, "cursor", payload, given, MAC_BYTES)) throw cursorInvalid();
  const [print, ...rest] = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as [string, ...CursorKey];
  if (print !== fingerprint(query)) {
    const issue = {
      path: "cursor",
      message: "belongs to another query",
      expected: "a cursor of this query, or none",
    };
    throw new DomainError(
      "invalid_arguments",
      "The cursor belongs to another query. Repeat the arguments of that query, or leave the cursor out.",
      { details: { issues: [issue] } },
    );
  }
  // A cursor of an earlier release may have another form, or order.
  const order = orderOf(query);
  const key = rest.slice(order.length);
  const fits =
    order.every((part, i) => part === rest[i]) &&
    key.length === types.length &&
    key.every((part, i) => fitsType(part, types[i]!));
  if (!fits) throw cursorInvalid();
  return key;
}

const fitsType = (part: unknown, type: string) =>
  part === null ? type.endsWith("?") : typeof part === type.replace("?", "");

const cursorInvalid = () =>
  new DomainError("cursor_invalid", "This service did not give out that cursor. Start again without one.");
