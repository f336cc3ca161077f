// Files of counts that come in at the same moment.
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import * as stock from "../../server/services/own-stock";
import { testDatabase, untilWaiting } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";

const database = testDatabase();

it("leaves what is known of a location, also by a file that comes in beside it", async () => {
  const { id: storeId, slug: store, merchantId } = await makeStore(database);
  const actor = await makeMerchant(database, merchantId);
  const upload = (...lines: string[]) =>
    stock.upload(database.as(actor), { store, content: Readable.from([Buffer.from(lines.join("\n"))]) });
  let both: Promise<void>[] = [];
  await database.sql.begin(async (tx) => {
    await tx`select from stores where id = ${storeId} for no key update`;
    both = [
      upload(
        "id,store_code,quantity,store_name,store_address,pickup_method",
        "lamp,north,3,North Street,1 North Street,buy",
      ),
    ];
    await untilWaiting(database.sql, 1);
    both.push(upload("id,store_code,quantity", "lamp,north,7"));
    await untilWaiting(database.sql, 2);
  });
  await Promise.all(both);
  expect((await stock.get(database.as(actor), { store })).locations).toEqual([
    { id: "north", name: "North Street", address: "1 North Street", pickup: true, counts: 1, pieces: 7 },
  ]);
});
