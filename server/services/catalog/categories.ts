// The categories that a store's products are sorted into, a level at a time: its own (product_type, or Google's of a product
// that has none, as the facet `category` and the filter `product_type` have it), or Google's.
import type { Consumer, Ctx } from "../../context";
import { DomainError } from "../../errors";
import { readable, storeNotAvailable } from "../coverage";
import { fold } from "../fold";

export interface Category {
  /** Its path, folded: `home & garden > lighting`. */
  id: string;
  name: string;
  /** From the top down, itself the last. */
  path: string[];
  /** With those of the categories below. */
  product_count: number;
  has_children: boolean;
}

interface ListCategories {
  storeId: string;
  /** A category's id; undefined for the top level. */
  parent?: string | undefined;
  taxonomy: "store" | "google";
}

/**
 * The categories right below `parent`, those with most products first.
 * @throws DomainError store_not_available, invalid_arguments (no such parent)
 */
export async function list(ctx: Ctx<Consumer>, input: ListCategories): Promise<Category[]> {
  const { sql, now } = ctx;
  const google = sql`p.google_product_category`;
  const path = input.taxonomy === "store" ? sql`coalesce(p.product_type, ${google})` : google;
  const folded = remembered();
  const parent = idOf(input.parent?.split(">") ?? [], folded);
  const level = depthOf(parent) + 1;
  const pathsTo = (depth: number) => sql<[{ paths: Path[] }?]>`
    select (select coalesce(json_agg(counted), '[]') from (
      select (${path})[1:${depth}::int] as path, count(*)::int as count, bool_or(cardinality(${path}) > ${depth}::int) as goes_on from products p
      where p.store_id = s.id and not p.excluded and p.availability <> 'discontinued' and coalesce(p.expires_at > ${now}, true)
        and ${path} is not null group by 1) counted) as paths
    from stores s where s.id = ${input.storeId} and ${readable(sql, ctx.actor)}`;
  const [store] = await pathsTo(level);
  if (!store) throw storeNotAvailable();
  const found = mostFirst(below(parent, store.paths, folded));
  const isKnown = ({ path }: { path: string[] }) => idOf(path.slice(0, level - 1), folded) === parent;
  if (found.length === 0 && parent !== "" && !store.paths.some(isKnown)) {
    const [whole] = await pathsTo(DEEPEST);
    const named = idsNamed(parent.split(" > ").at(-1)!, whole?.paths ?? [], folded);
    throw noSuchCategory(mostFirst(below("", store.paths, folded)), named, input.taxonomy);
  }
  return found;
}

const mostFirst = (categories: Category[]): Category[] =>
  categories.sort((a, b) => b.product_count - a.product_count || (a.id < b.id ? -1 : 1));

const MOST_NAMED = 10;
/** As deep as any path. */
const DEEPEST = 100;

/** The ids of the categories that are called so, wherever they stand. */
function idsNamed(name: string, paths: readonly Path[], folded: Fold): string[] {
  const found = paths.flatMap(({ path }) =>
    path.flatMap((own, i) => (folded(own) === name ? [idOf(path.slice(0, i + 1), folded)] : [])),
  );
  return [...new Set(found)].sort();
}

/** @param named ids of categories that are called so */
function noSuchCategory(top: readonly Category[], named: readonly string[], taxonomy: string): DomainError {
  const ids = top.slice(0, MOST_NAMED).map(({ id }) => `"${id}"`);
  const isOne = `is not the id of a category that has products in this store (taxonomy ${taxonomy})`;
  const issue = {
    path: "parent",
    message: isOne,
    expected:
      ids.length > 0 ? `an id from list_categories; the top level has ${ids.join(", ")}` : "no parent: there are none",
  };
  const called = named.slice(0, MOST_NAMED).map((id) => `"${id}"`);
  const so = called.length > 0 ? `Called so is ${called.join(", ")}. ` : "";
  const next =
    ids.length > 0 ? `${so}Leave parent out to list the top level: ${ids.join(", ")}` : "The store has no categories";
  return new DomainError("invalid_arguments", `parent ${isOne}. ${next}.`, { details: { issues: [issue] } });
}

const depthOf = (id: string): number => (id === "" ? 0 : id.split(" > ").length);

type Fold = (name: string) => string;

/** Paths have few names, again and again: each is folded once. */
function remembered(): Fold {
  const known = new Map<string, string>();
  return (name) => {
    const folded = known.get(name) ?? fold(name);
    known.set(name, folded);
    return folded;
  };
}

const idOf = (path: readonly string[], folded: Fold): string => path.map(folded).filter(Boolean).join(" > ");

/** The beginning of products' paths. */
interface Path {
  path: string[];
  count: number;
  /** Some of them have more. */
  goes_on: boolean;
}

/** Paths that differ in case or accents alone are one category; it is called what most of its products call it. */
function below(parent: string, paths: readonly Path[], folded: Fold): Category[] {
  const depth = depthOf(parent);
  const found = new Map<string, Category>();
  for (const { path, count, goes_on } of paths.toSorted((a, b) => b.count - a.count)) {
    if (path.length <= depth || idOf(path.slice(0, depth), folded) !== parent) continue;
    const own = path.slice(0, depth + 1);
    const id = idOf(own, folded);
    const category = found.get(id) ?? { id, name: own.at(-1)!, path: own, product_count: 0, has_children: false };
    category.product_count += count;
    category.has_children ||= goes_on || path.length > depth + 1;
    found.set(id, category);
  }
  return [...found.values()];
}
