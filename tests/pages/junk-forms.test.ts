// Forms that no page of ours sends: refused as what they are, and no failure of ours. Fuzzing found each of them.
import { describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { makePerson, signIn } from "../support/roles";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);

async function people() {
  const consumer = await makeConsumer(database);
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  return {
    consumer,
    store,
    cookies: {
      owner: await signIn(database, consumer.owner),
      operator: (await makePerson(database, "operator", consumer.id)).cookie!,
      merchant: await signIn(database, { id: accountId }),
    },
  };
}
type People = Awaited<ReturnType<typeof people>>;

const forms: [who: keyof People["cookies"], path: (of: People) => string][] = [
  ["owner", () => "/console?index"],
  ["owner", () => "/console/keys"],
  ["owner", () => "/account/two-factor"],
  ["operator", ({ consumer }) => `/admin/review/${consumer.slug}`],
  ["operator", ({ consumer }) => `/admin/consumers/${consumer.slug}?index`],
  ["operator", ({ consumer }) => `/admin/consumers/${consumer.slug}/members`],
  ["operator", ({ store }) => `/admin/merchants/${store.merchantId}?index`],
  ["merchant", () => "/merchant?index"],
  ["merchant", ({ store }) => `/merchant/stores/${store.slug}?index`],
  ["merchant", () => "/merchant/agents?index"],
  ["merchant", ({ consumer }) => `/merchant/agents/${consumer.slug}`],
  ["merchant", ({ store }) => `/merchant/catalogue/${store.id}`],
  ["merchant", () => "/merchant/notifications"],
];

describe("an upload whose parts are none", () => {
  it.each([1, 2, 5])("is refused, and takes nobody down, with %i of them", async (parts) => {
    const { store, cookies } = await people();
    const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.tsv"\r\n\r\nid\ttitle\r\n';
    for (const before of ["", file]) {
      const reply = await fetch(`${server.url}/merchant/catalogue/${store.id}`, {
        method: "POST",
        headers: {
          cookie: cookies.merchant,
          origin: server.url,
          "content-type": "multipart/form-data; boundary=b",
        },
        body: `${before}${"--b\r\nno \x00 header\r\n\r\nx\r\n".repeat(parts)}--b--\r\n`,
      });
      expect(reply.status, await reply.text()).toBeLessThan(500);
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe("a form that says nothing that can be done", () => {
  it("requests no production access, also where that is offered", async () => {
    const { consumer, cookies } = await people();
    await makeStore(database, { is_demo: true });
    await database.sql`update consumers set first_call_at = now() where id = ${consumer.id}`;
    for (const body of ["intent=nonsense", ""]) {
      const reply = await fetch(`${server.url}/console?index`, {
        method: "POST",
        headers: {
          cookie: cookies.owner,
          origin: server.url,
          "content-type": "application/x-www-form-urlencoded",
        },
        body,
        redirect: "manual",
      });
      expect(reply.status, await reply.text()).toBe(400);
    }
    expect(await database.sql`select state from consumers where id = ${consumer.id}`).toEqual([{ state: "sandbox" }]);
  });

  it.each(forms)("is 400 for %s, with and without scripts, and no failure in the log: %s", async (who, path) => {
    const of = await people();
    const [page, query] = path(of).split("?", 2);
    for (const end of ["", ".data"]) {
      for (const body of ["intent=nonsense", ""]) {
        const reply = await fetch(`${server.url}${page}${end}${query ? `?${query}` : ""}`, {
          method: "POST",
          headers: {
            cookie: of.cookies[who],
            origin: server.url,
            "content-type": "application/x-www-form-urlencoded",
          },
          body,
        });
        const text = await reply.text();
        expect(reply.status, text).toBe(400);
      }
    }
  });
});
