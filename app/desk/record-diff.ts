// What differs between two records, as the audit has them.
import { isObject } from "~/lib/is-object";

export type Fields = Record<string, unknown>;
export interface FieldChange {
  /** That of a record in it as `outer.inner`. */
  name: string;
  before: unknown;
  after: unknown;
  /** There is one side to show: of the other nothing was recorded. */
  isAlone: boolean;
}
/** What became of one record in a list. */
export interface ItemChange {
  kind: "added" | "removed" | "changed";
  title: string;
  changes: FieldChange[];
}

/** Empty, whichever way it is written. */
export const isNothing = (value: unknown) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
const isSame = (one: unknown, other: unknown) =>
  (isNothing(one) && isNothing(other)) || JSON.stringify(one) === JSON.stringify(other);

/** A value in the words of its record. */
export const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A list that was recorded by itself is a record's only field, of this name. */
export const ENTRIES = "";
const asFields = (value: unknown): Fields | undefined =>
  Array.isArray(value) ? { [ENTRIES]: value } : isObject(value) ? value : undefined;

function flat(fields: Fields, path = ""): [name: string, value: unknown][] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isObject(value) ? flat(value, `${path}${name}.`) : [[`${path}${name}`, value] as [string, unknown]],
  );
}

/**
 * The fields that differ; of one record alone, all of them. A field that only the first of two records has was not touched,
 * and of one that only the second has, the first did not tell.
 */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [asFields(before), asFields(after)];
  if (!old || !now) return differing(old ?? {}, now ?? {}, true);
  const has = (fields: Fields, { name }: FieldChange) => Object.hasOwn(fields, name.split(".", 1)[0]!);
  return differing(old, now, false)
    .filter((change) => has(now, change))
    .map((change) => ({ ...change, isAlone: !has(old, change) }));
}

function differing(before: Fields, after: Fields, isAlone: boolean): FieldChange[] {
  const [old, now] = [new Map(flat(before)), new Map(flat(after))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name), isAlone }))
    .filter((change) => !isSame(change.before, change.after));
}

/** By what records of a list are known again, and called. */
const keys = ["promotionId", "locationId", "slug", "name", "question", "basis", "id"];
const titles = ["name", "longTitle", "question", "basis"];
/** Nothing where it has no name: then it is called by all that it says. */
const nameOf = (item: Fields) => textOf(item, keys);
const textOf = (item: Fields, names: string[]) =>
  names.map((name) => item[name]).find((value) => typeof value === "string" && value !== "") as string | undefined;

export function itemChanges(before: Fields[], after: Fields[]): ItemChange[] {
  const [old, now] = [byKey(before), byKey(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((key): ItemChange[] => {
    const [was, is] = [old.get(key), now.get(key)];
    const title = textOf(is ?? was!, titles) ?? key;
    if (!was || !is) {
      const changes = nameOf(is ?? was!)
        ? differing(was ?? {}, is ?? {}, true).filter(
            (change) => isTold(change) && ![change.before, change.after].includes(title),
          )
        : [];
      return [{ kind: was ? "removed" : "added", title, changes }];
    }
    const changes = differing(was, is, false).filter(isTold);
    return changes.length > 0 ? [{ kind: "changed", title, changes }] : [];
  });
}

/** Ids that stand on one side only say where a record is kept, not what it is. */
const isTold = ({ name, before, after }: FieldChange) =>
  !/^(id|storeId|programId)$/.test(name) || !(isNothing(before) || isNothing(after));

function byKey(items: Fields[]): Map<string, Fields> {
  const found = new Map<string, Fields>();
  for (const item of items) {
    const key = nameOf(item) ?? Object.values(item).map(plain).join(", ");
    let unique = key;
    for (let n = 2; found.has(unique); n++) unique = `${key} (${n})`;
    found.set(unique, item);
  }
  return found;
}
