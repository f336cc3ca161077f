// What the jobs do, done at once: so that a test need not wait for any clock.
import { Readable } from "node:stream";
import type { Merchant } from "../../../server/context";
import * as loads from "../../../server/services/feeds/loads";
import { runWaiting } from "../../../server/services/feeds/queue";
import type { TestDatabase } from "../database";
import { makeMerchant, makeStore } from "../factories";

/** A store with somebody who acts for its merchant. */
export async function makeShop(database: TestDatabase) {
  const { id: storeId, merchantId } = await makeStore(database);
  return shopIn(database, { storeId, merchantId, actor: await makeMerchant(database, merchantId) });
}

/** The same shop in another database, which was restored from its backup. */
export function shopIn(database: TestDatabase, shop: { storeId: string; merchantId: string; actor: Merchant }) {
  const { storeId, merchantId, actor } = shop;
  const ctx = () => database.as(actor);
  const run = () => runWaiting(database.as({ kind: "system" }));
  const upload = (content: string | Buffer | Readable, fileName = "feed.tsv") =>
    loads.upload(ctx(), {
      storeId,
      fileName,
      content: content instanceof Readable ? content : Readable.from([Buffer.from(content)]),
    });
  return {
    storeId,
    merchantId,
    actor,
    ctx,
    run,
    upload,
    get: () => loads.get(ctx(), { storeId }),
    /** Uploads, and lets it be loaded. */
    async load(content: string | Buffer | Readable, fileName?: string) {
      const loadId = await upload(content, fileName);
      await run();
      return (await loads.report(ctx(), { storeId, loadId })).load;
    },
    /** @param shown the load that the page showed as the current one */
    async restore(loadId: string, shown?: string) {
      const id = await loads.restore(ctx(), { storeId, loadId, shown });
      await run();
      return (await loads.report(ctx(), { storeId, loadId: id })).load;
    },
  };
}
