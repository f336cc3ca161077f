// Products stand in the index with the words that search read when they were loaded. Once it reads others, what is loaded
// is indexed anew by a job, a store at a time, as if its merchant had sent the same rows again.
import { type Core, contextFor } from "../../context";
import { each } from "../each";
import { keep, wanted } from "../store-languages";
import { INDEX_VERSION } from "./index-version";
import { merge } from "./merge";
import { Issues } from "./report";
import { Staging } from "./staging";
import { loading } from "./transaction";

/**
 * Every store whose products are indexed in an older way; what left its feed stays as it is. Calls go on meanwhile and find
 * what either index has. A store that fails keeps none of the others back.
 * @param stopping once aborted, no further store is begun
 * @returns how many stores were indexed
 * @throws AggregateError with the stores that failed, by id, once the others are done
 */
export async function reindex(core: Core, stopping: AbortSignal): Promise<number> {
  const due = await core.sql<
    { id: string }[]
  >`select id from stores where index_version < ${INDEX_VERSION} order by id`;
  function* whileRunning() {
    for (const { id } of due) {
      if (stopping.aborted) return;
      yield [id, () => reindexStore(core, id)] as const;
    }
  }
  const isDone = await each(whileRunning());
  return isDone.filter(Boolean).length;
}

/** @returns false where another instance, or a load, has done it meanwhile */
async function reindexStore(core: Core, storeId: string): Promise<boolean> {
  const { now } = contextFor(core, { kind: "system" });
  return loading(core.sql, storeId, async (tx) => {
    const [due] = await tx`select from stores where id = ${storeId} and index_version < ${INDEX_VERSION}`;
    if (!due) return false;
    const { languages, stated } = await wanted(tx, storeId);
    const staging = await Staging.open(tx, storeId, now, { languages, anew: true });
    try {
      const { count } = await tx`
        insert into left_out select variant_id, position, position, false from variants
        where store_id = ${storeId} and vanished_at is null`;
      if (count > 0) {
        await staging.addFormer(undefined);
        await merge(tx, { storeId, now, issues: new Issues(), languages });
      }
    } catch (error) {
      await staging.abandon();
      throw error;
    }
    // Unless others were stated meanwhile: then it is due again.
    const [isDone] = await tx`
      update stores set index_version = ${INDEX_VERSION} where id = ${storeId} and languages = ${stated} returning id`;
    if (isDone) await keep(tx, storeId, languages, now);
    return true;
  });
}
