// From what services give to what tools answer.

type Present<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: Exclude<T[K], null>;
};

/** Drops what is null or undefined: an answer has a field, or has not. */
export function present<T extends object>(value: T): Present<T> {
  const told: Record<string, unknown> = {};
  for (const [name, v] of Object.entries(value)) if (v !== null && v !== undefined) told[name] = v;
  return told as Present<T>;
}

/** A service's page as the `page` of an answer. */
export const page = (from: {
  hasNextPage: boolean;
  nextCursor?: string | undefined;
  totalCount?: number | undefined;
}) =>
  present({
    has_next_page: from.hasNextPage,
    next_cursor: from.nextCursor ?? null,
    total_count: from.totalCount ?? null,
  });
