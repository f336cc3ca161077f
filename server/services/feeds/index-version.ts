// How words are indexed, in a number: where it is raised, each store is indexed anew (reindex.ts).
import type { Transaction } from "./transaction";

/**
 * What loads write now, as the default of `stores.index_version` says. 2: small words ("down", "can"), and kinds of things.
 * 3: stems of other languages than English, and Google's categories by their names.
 * 4: what an English category is about, before "for" and the like. 5: whom a thing is for.
 * 6: what is drawn as nothing parts no word, and ß, ø and the like are plain letters.
 * 7: filters' tokens of before are so folded, too. 8: what titles are about. 9: also behind
 * brackets, before others and before a size. 10: which of a category's several things, and no "set" or "pair". 11: what a roll or a bag is of, no "twin pack"; words apart
 * from others of their stem. 12: more of these words, and what is for adults alone. 0 is written where a store's languages have changed.
 */
export const INDEX_VERSION = 12;

/**
 * Locks the store that is loaded. What this release loads is indexed as this release does it, though a later one, as instances run of both
 * in an upgrade, has indexed the store before: then it is to do so again.
 */
export async function lockStore(tx: Transaction, storeId: string): Promise<void> {
  await tx`select from stores where id = ${storeId} for no key update`;
  await tx`update stores set index_version = ${INDEX_VERSION} where id = ${storeId} and index_version > ${INDEX_VERSION}`;
}
