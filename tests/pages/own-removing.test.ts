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
  const who = await logIn({ id: (await makeMerchant(database, merchantId)).accountId });
  return { who, store, path: (page: string) => `/merchant/stores/${slug}/${page}?dialog=remove&id=${id}` };
}

/** The button of the dialog that a page shows, in a browser without scripts. */
function press(who: Awaited<ReturnType<typeof logIn>>, at: string, html: string) {
  const hidden = html.slice(html.indexOf("<dialog")).matchAll(/<input name="(\w+)" type="hidden" value="([^"]*)"/g);
  return who.post(at, Object.fromEntries([...hidden].map(([, name, value]) => [name, value])));
}

it("a promotion that a colleague changed meanwhile is ended by the next press, and not by this one", async () => {
  const { who, store, path } = await makeShop();
  await database.sql`update promotions set ends_at = '2090-01-01' where store_id = ${store}`;
  const at = path("promotions").replace("dialog=remove", "dialog=end");
  const { html } = await who.get(at);
  await database.sql`update promotions set percent_off = 6 where store_id = ${store}`;
  const refused = await press(who, at, html);
  expect([refused.status, refused.words]).toEqual([
    409,
    expect.stringContaining("This promotion was changed in the meantime, so it was not ended."),
  ]);
  const running = () => database.sql`select from promotions where store_id = ${store} and ends_at = '2090-01-01'`;
  expect(await running()).toHaveLength(1);
  expect((await press(who, at, refused.html)).status).toBe(302);
  expect(await running()).toHaveLength(0);
});

it.each([
  ["promotions", "promotions", "ends_at = '2090-01-01'", "This promotion was changed"],
  ["policies", "policies", "answer = 'B.'", "This policy was changed"],
  ["loyalty", "loyalty_programs", "description = 'More points.'", "This loyalty programme was changed"],
  ["stock", "inventory_levels", "data_as_of = '2026-02-02'", "The counts were changed"],
])(
  "what a colleague changed meanwhile under %s is removed by the next press, and not by this one",
  async (page, table, set, told) => {
    const { who, store, path } = await makeShop();
    const left = () => database.sql`select from ${database.sql(table)} where store_id = ${store}`;
    const { html } = await who.get(path(page));
    await database.sql`update ${database.sql(table)} set ${database.sql.unsafe(set)} where store_id = ${store}`;
    const refused = await press(who, path(page), html);
    expect([refused.status, refused.words]).toEqual([409, expect.stringContaining(`${told} in the meantime`)]);
    expect(await left()).toHaveLength(1);
    expect((await press(who, path(page), refused.html)).status).toBe(302);
    expect(await left()).toHaveLength(0);
  },
);
