// A dialog that asks whether to remove something is about what it showed: what has changed since is shown before it goes.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { logins } from "../support/logins";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const { logIn } = logins(database, server);

/** A store with one of each. */
async function makeShop() {
  const { id: store, slug, merchantId } = await makeStore(database);
  const id = randomUUID();
  const [of, { sql }] = [{ store_id: store }, database];
  const sale = { ...of, promotion_id: id, long_title: "Sale", percent_off: 5, currency: "EUR" };
  const ended = { starts_at: "2020-01-01", ends_at: "2021-01-01", redemption_channel: ["online"] };
  await sql`insert into promotions ${sql({ ...sale, ...ended })}`;
  await sql`insert into policies ${sql({ ...of, id, question: "Q?", answer: "A.", policy_type: "faq", updated_at: "2026-01-01" })}`;
  const club = { name: "Club", description: "Points.", terms_url: "https://shop.example/club", is_primary: true };
  await sql`insert into loyalty_programs ${sql({ ...of, id, ...club })}`;
  await sql`insert into locations ${sql({ ...of, location_id: "shop", name: "Shop", pickup: true })}`;
  const count = { variant_id: "lamp", location_id: "shop", quantity: 3, data_as_of: "2026-01-01" };
  await sql`insert into inventory_levels ${sql({ ...of, ...count })}`;
  const who = await logIn({ id: (await makeMerchant(database, merchantId)).accountId, passwordVersion: 1 });
  return { who, store, path: (page: string) => `/merchant/stores/${slug}/${page}?dialog=remove&id=${id}` };
}

it.each([
  ["promotions", "promotions", "ends_at = '2090-01-01'", "This promotion was changed"],
  ["policies", "policies", "answer = 'B.'", "This policy was changed"],
  ["loyalty", "loyalty_programs", "description = 'More points.'", "This loyalty programme was changed"],
  ["stock", "inventory_levels", "data_as_of = '2026-02-02'", "The counts were changed"],
])(
  "what a colleague changed meanwhile under %s is removed by the next press, and not by this one",
  async (page, table, set, told) => {
    const { who, store, path } = await makeShop();
    const press = (html: string) => {
      const hidden = html.slice(html.indexOf("<dialog")).matchAll(/<input name="(\w+)" type="hidden" value="([^"]*)"/g);
      return who.post(path(page), Object.fromEntries([...hidden].map(([, name, value]) => [name, value])));
    };
    const left = () => database.sql`select from ${database.sql(table)} where store_id = ${store}`;
    const { html } = await who.get(path(page));
    await database.sql`update ${database.sql(table)} set ${database.sql.unsafe(set)} where store_id = ${store}`;
    const refused = await press(html);
    expect([refused.status, refused.words]).toEqual([409, expect.stringContaining(`${told} in the meantime`)]);
    expect(await left()).toHaveLength(1);
    expect((await press(refused.html)).status).toBe(302);
    expect(await left()).toHaveLength(0);
  },
);
