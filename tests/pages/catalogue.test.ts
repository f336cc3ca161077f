// The merchant's catalogue as a browser without scripts sees it: pages by GET, forms and files by POST, jobs by the server.
import { readFile, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { shopify } from "../support/feeds/exports";
import { stored, tsv } from "../support/feeds/load";
import { logins } from "../support/logins";
import { startServer, testServer } from "../support/server";
import { newVisitor } from "../support/visitor";

const database = testDatabase();
const server = testServer(database, { NODE_ENV: "test", FEED_ADDRESSES: "127.0.0.1" });
const { logIn } = logins(database, server);

let feedServer: Server;
let feedUrl = "";
let feed: { status: number; body: string } = { status: 200, body: "" };
beforeAll(async () => {
  feedServer = createServer((_req, res) => void res.writeHead(feed.status).end(feed.body)).listen(0, "127.0.0.1");
  await new Promise((resolve) => feedServer.once("listening", resolve));
  feedUrl = `http://127.0.0.1:${(feedServer.address() as AddressInfo).port}/daily.tsv`;
});
afterAll(() => void feedServer.close());

async function makeKeeper(name = "Ridge & Sons") {
  const store = await makeStore(database, { name });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const who = await logIn({ id: accountId });
  const path = `/merchant/catalogue/${store.id}`;
  const page = () => who.get(path);
  const send = (content: string | Blob, name = "spring.tsv") => {
    const form = new FormData();
    form.set("file", new File([content], name));
    return who.post(path, form);
  };
  /** Until the page says that nothing is under way. */
  const settled = async () => {
    await expect.poll(async () => (await page()).html).not.toContain('role="progressbar"');
    return page();
  };
  return { storeId: store.id, merchantId: store.merchantId, who, path, page, send, settled };
}
const reportLink = (html: string) => /href="([^"]*\/loads\/[^"/]+)"/.exec(html)![1]!;

describe("the catalogue's page", () => {
  it("begins empty, takes a file without scripts, and shows what agents see", async () => {
    const { who, path, page, send, settled, storeId } = await makeKeeper();
    expect(await who.get("/merchant/catalogue")).toMatchObject({ status: 302, location: path });
    const empty = await page();
    expect(empty.status).toBe(200);
    for (const words of ["No catalogue yet", "Upload a file", "Feed by address", "Nothing loaded yet"])
      expect(empty.words).toContain(words);
    expect(empty.html).toContain('encType="multipart/form-data"');
    expect(await send(tsv([{ id: "1" }, { id: "2", price: "-1 EUR" }, { id: "3" }]))).toMatchObject({
      status: 302,
      location: path,
    });
    const done = await settled();
    for (const words of [
      "What agents see",
      "spring.tsv · Uploaded by person-",
      "Products 2",
      "of 3 in the file",
      "Bad rows 1",
      "Loaded",
    ])
      expect(done.words).toContain(words);
    expect((await stored(database, storeId)).products).toHaveLength(2);
  });

  it("shows a file that can be loaded as it stands, and says what of it is required", async () => {
    const { page, send, settled } = await makeKeeper();
    const { html, words } = await page();
    const said = / as Google does; (.*?) are required\./.exec(words)![1]!;
    const example = /Two products, as CSV.*?<code><span>(.*?)<\/span>/s.exec(html)![1]!.replaceAll("&quot;", '"');
    await send(example, "own.csv");
    const loaded = await settled();
    for (const part of ["Products 2", "Bad rows 0"]) expect(loaded.words).toContain(part);
    const columns = example.split("\n")[0]!.split(",");
    const without = (column: string) => example.replace(new RegExp(`\\b${column}\\b`), "unknown");
    const required: string[] = [];
    for (const column of columns) {
      await send(without(column), "own.csv");
      if ((await settled()).words.includes("own.csv was refused")) required.push(column);
    }
    expect(required).toEqual(said.split(/, | and /));
  });

  it("reports each bad row with line, field, value and reason, and gives all of them as CSV", async () => {
    const { who, send, settled } = await makeKeeper();
    await send(tsv([{ id: "1" }, { id: "2", price: "=1+1" }, { id: "3", gtin: "12" }]));
    const link = reportLink((await settled()).html);
    const report = await who.get(link);
    expect(report.words).toMatch(/3 Field price Value =1\+1 What is wrong/);
    expect(report.words).toContain("Google product data, TSV");
    const warnings = await who.get(`${link}?warnings`);
    expect(warnings.words).toMatch(/4 Field gtin Value 12/);
    const csv = await who.get(`${link}/bad-rows`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="spring-bad-rows.csv"');
    expect(csv.html).toMatch(/^line,field,value,reason\r\n3,price,'=1\+1,/);
  });

  it("accounts for every row of the file, and tells of them line by line", async () => {
    const { who, send, settled } = await makeKeeper();
    const bad = { id: "2", price: "none" };
    await send(tsv([{ id: "1" }, bad, { id: "3", gtin: "12" }, { id: "1" }, { id: "5", gtin: "12" }]));
    const page = await settled();
    for (const words of ["Rows loaded 3 of 5 in the file", "Bad rows 1", "Left out 1 Warnings say why"])
      expect(page.words).toContain(words);
    const { words } = await who.get(`${reportLink(page.html)}?warnings`);
    expect(words).toMatch(/Line 2.*occurs again further down; that row counts.*Line 4.*Line 6/);
  });

  it("takes what Shopify exports, and tells what was made of it that it lacks", async () => {
    const { who, send, settled } = await makeKeeper();
    const tee = { Handle: "tee", Title: "Tee", "Option1 Name": "Size", "Option1 Value": "S", "Variant Price": "9" };
    const others = ["10", "none"].map((price, i) => ({
      ...tee,
      Title: "",
      "Option1 Value": `L${i}`,
      "Variant Price": price,
    }));
    const { html } = await send(shopify([tee, ...others]), "products_export.csv").then(settled);
    const link = reportLink(html);
    const { words } = await who.get(`${link}?warnings`);
    expect(words).toContain("Shopify product export, CSV");
    expect(words).toMatch(
      /2 Field link Value https:.*\/products\/tee What is wrong is missing from the file: each is made from/,
    );
    expect((await who.get(`${link}/bad-rows`)).html).toMatch(/^line,field,value,reason\r\n4,price,none,/);
  });

  it("says why a file was refused, and keeps what was there", async () => {
    const { send, settled } = await makeKeeper();
    await send(tsv([{ id: "kept" }]));
    await settled();
    await send("nonsense\n1\n", "oops.csv");
    const page = await settled();
    expect(page.words).toContain("oops.csv was refused The first line names no known attribute");
    expect(page.words).toContain("The store keeps the catalogue it had.");
    expect(page.words).toContain("Products 1");
  });

  it("the first load of a store is told beside it while it is under way, and invites to no other", async () => {
    const { who, page, storeId } = await makeKeeper();
    const invitation = "Upload a product feed, or enter the address of one.";
    expect((await page()).words).toContain(invitation);
    expect((await who.get("/merchant")).words).toContain("Load a catalogue");
    await database.sql`
      insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, lease_until)
      values (${crypto.randomUUID()}, ${storeId}, 'first.tsv', 'tsv', 'loading', 0, 0, 0, 0, now() + interval '1 hour')`;
    const { html, words } = await who.get("/merchant");
    expect(words).toMatch(/Last catalogue load Loading/);
    expect(words).not.toContain("Load a catalogue");
    expect((await page()).words).not.toContain(invitation);
    const [, slug] = /href="\/merchant\/stores\/([^"/?]+)"/.exec(html)!;
    expect((await who.get(`/merchant/stores/${slug}`)).words).toMatch(
      /Last catalogue load Loading Go to the catalogue/,
    );
  });

  it("a load that failed is told as such in its report and beside its store, also while the next one is under way", async () => {
    const { who, send, settled, page, storeId } = await makeKeeper();
    await send(tsv([{ id: "kept" }]));
    await settled();
    await send(tsv([{ id: "1" }]), "fatal.tsv");
    await settled();
    // As `giveUp` leaves it.
    const refusal = "The load was interrupted repeatedly, though not because of the file. Try again later.";
    const [failed] = await database.sql`
      update feed_loads set outcome = 'failed', refusal = ${refusal}, rows = 0, loaded = 0, products = 0
      where store_id = ${storeId} and file_name = 'fatal.tsv' returning id`;
    const catalogue = await page();
    expect(catalogue.words).toContain(`fatal.tsv was not loaded ${refusal} The store keeps the catalogue it had.`);
    const report = await who.get(reportLink(catalogue.html.slice(catalogue.html.indexOf("fatal.tsv"))));
    expect(report.words).toContain(`Back to the catalogue Nothing from this file was stored ${refusal} Details`);
    expect(report.words).not.toMatch(/Took|Rows read|Bad rows/);
    await database.sql`
      insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, lease_until)
      select gen_random_uuid(), store_id, 'next.tsv', format, 'loading', 0, 0, 0, 0, now() + interval '1 hour'
      from feed_loads where id = ${failed!.id}`;
    const stores = (await who.get("/merchant")).words;
    expect(stores).toMatch(/(just now|seconds? ago|minutes? ago) Failed/);
    expect(stores).not.toContain("Never");
  });

  it("says of an old load that what was wrong with its rows is kept no longer, and not that nothing was", async () => {
    const { who, send, settled, storeId } = await makeKeeper();
    await send(tsv([{ id: "1" }, { id: "2", price: "x" }, { id: "3", gtin: "12" }]));
    const link = reportLink((await settled()).html);
    // As retention leaves it.
    await database.sql`update feed_loads set issues = '[]', file_id = null where store_id = ${storeId}`;
    for (const view of ["?bad", "?warnings"]) {
      const { words } = await who.get(`${link}${view}`);
      expect(words).toContain("No longer listed Bad rows and warnings are listed for 90 days.");
      expect(words).toMatch(/Bad rows 1 No longer listed/);
      for (const said of ["could be read", "could be taken", "Download"]) expect(words).not.toContain(said);
    }
  });

  it("the report of a refused file tells of nothing that was stored, and of no row that was not read", async () => {
    const { who, send, settled, page } = await makeKeeper();
    const reportOf = async (content: string, name: string) => {
      await send(content, name);
      await settled();
      const { html } = await page();
      return (await who.get(reportLink(html.slice(html.indexOf(name))))).words;
    };
    const unread = await reportOf("nonsense\n1\n", "oops.csv");
    expect(unread).toContain("Nothing from this file was stored The first line names no known attribute");
    for (const words of ["Rows loaded", "Bad rows", "Discontinued", "could be read", "it can be restored"])
      expect(unread).not.toContain(words);
    const bad = await reportOf(tsv([{ id: "1" }, { id: "2", price: "x" }, { id: "3", price: "y" }]), "bad.tsv");
    expect(bad).toContain("Rows read 3 Bad rows 2 Download them");
    // Once is enough, and what the page calls bad rows has no other name in the words above them.
    expect(bad.match(/stored/g)).toHaveLength(1);
    expect(bad).not.toMatch(/issue/i);
    expect(bad).toMatch(/3 Field price Value x/);
    for (const words of ["Rows loaded", "Discontinued", "Whole file", "it can be restored"])
      expect(bad).not.toContain(words);
    const item = "<item><g:id>1</g:id><title>T</title></item>";
    const broken = await reportOf(
      `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${item}<item></channel>`,
      "broken.xml",
    );
    expect(broken).toContain("is not well-formed XML");
    expect(broken).not.toContain("could be read");
  });

  it("says beside the field that no file was chosen, or that it is empty", async () => {
    const { who, path, send } = await makeKeeper();
    const none = new FormData();
    none.set("file", new File([], ""));
    const answer = await who.post(path, none);
    expect(answer.status).toBe(400);
    expect(answer.words).toContain("Choose a file.");
    expect((await send("")).words).toContain("The file is empty.");
    const noForm = await who.post(path, { x: "1" }, { origin: server.url, "content-type": "multipart/form-data" });
    expect(noForm.status).toBe(400);
  });

  it("calls a file what its owner calls it, in any script, and says beside the field which name it cannot take", async () => {
    const { send, settled } = await makeKeeper();
    for (const name of ["Katalog für März.tsv", "товары.tsv", "商品 👩‍👧.tsv", '24" screens.tsv']) {
      expect((await send(tsv([{ id: "1" }]), name)).status).toBe(302);
      expect((await settled()).words).toContain(`${name} · Uploaded by`);
    }
    for (const name of ["spring\u202evst.tsv", `${"s".repeat(2000)}.tsv`]) {
      const { status, words } = await send(tsv([{ id: "1" }]), name);
      expect(status).toBe(400);
      expect(words).toContain("Rename the file");
    }
  });

  it("names the file of bad rows after the feed, in any script", async () => {
    const { who, send, settled } = await makeKeeper();
    for (const [name, plain, whole] of [
      ["Katalog für März.tsv", "Katalog-f-r-M-rz", "Katalog-für-März"],
      ["товары.tsv", "-", "товары"],
      ['商品; x="👩‍👧".tsv', "--x-", "商品-x-"],
    ]) {
      await send(tsv([{ id: "1" }, { id: "2", price: "none" }, { id: "3" }]), name);
      const { headers } = await who.get(`${reportLink((await settled()).html)}/bad-rows`);
      expect(headers.get("content-disposition")).toBe(
        `attachment; filename="${plain}-bad-rows.csv"; filename*=UTF-8''${encodeURIComponent(`${whole}-bad-rows.csv`)}`,
      );
    }
  });

  it("undoes the last load after asking, and brings others back", async () => {
    const { who, path, page, send, settled, storeId } = await makeKeeper();
    await send(tsv([{ id: "first" }]), "one.tsv");
    await settled();
    expect((await page()).words).not.toContain("Restore previous");
    await send(tsv([{ id: "second" }]), "two.tsv");
    await settled();
    const asked = await who.get(`${path}?dialog=undo`);
    expect(asked.words).toContain("Restore the previous catalogue?");
    expect(asked.words).toContain("what it showed after one.tsv was loaded");
    const loadId = /name="loadId"[^>]*value="([^"]+)"/.exec(asked.html)![1]!;
    expect((await who.post(path, { intent: "restore", loadId })).location).toBe(path);
    const back = await settled();
    expect(back.words).toMatch(/one\.tsv · Restored by person-\w+ just now · as of just now/);
    expect((await stored(database, storeId)).products).toMatchObject([{ product_id: "first", vanished: false }]);
    expect(back.words).toContain("Shown now");
    expect(back.html).toMatch(/aria-label="Restore two\.tsv of [\d-]{10} [\d:]{8} UTC"/);
  });

  it("is asked again where another file was loaded since it was asked what to bring back", async () => {
    const { who, path, page, send, settled, storeId } = await makeKeeper();
    for (const id of ["first", "second"]) {
      await send(tsv([{ id }]), `${id}.tsv`);
      await settled();
    }
    const { html } = await who.get(`${path}?dialog=undo`);
    const hidden = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]+)"`).exec(html)![1]!;
    const asked = { intent: "restore", loadId: hidden("loadId"), shown: hidden("shown") };
    await send(tsv([{ id: "third" }]), "third.tsv");
    await settled();
    const late = await who.post(path, asked);
    expect(late.status).toBe(409);
    expect(late.words).toContain("Another catalogue was loaded in the meantime, so nothing was restored.");
    expect((await page()).words).not.toContain("Restored by");
    expect((await stored(database, storeId)).products).toContainEqual(
      expect.objectContaining({ product_id: "third", vanished: false }),
    );
  });

  it("tells loads of files with one name apart where they are opened and brought back", async () => {
    const { page, send, settled, storeId } = await makeKeeper();
    for (const id of ["first", "second", "third"]) {
      await send(tsv([{ id }]), "products.tsv");
      await settled();
    }
    await database.sql`
      update feed_loads set requested_at = requested_at - n * interval '1 minute'
      from (select id as which, row_number() over (order by id desc) as n from feed_loads where store_id = ${storeId}) counted
      where id = which`;
    const { html } = await page();
    const names = [...html.matchAll(/aria-label="(Restore products\.tsv of [^"]+)"/g)].map(([, name]) => name);
    expect([names.length, new Set(names).size]).toEqual([2, 2]);
    const links = [...html.matchAll(/products\.tsv(?:<!-- -->|\s)*<span class="sr-only">(.*?)<\/span>/g)].map(
      ([, of]) => of,
    );
    expect([links.length, new Set(links).size]).toEqual([3, 3]);
  });

  it("refuses a second file while one is under way", async () => {
    const { send, storeId } = await makeKeeper();
    await database.sql`insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, lease_until)
      values (${crypto.randomUUID()}, ${storeId}, 'slow.tsv', 'tsv', 'loading', 1200, 0, 0, 0, now() + interval '1 hour')`;
    const answer = await send(tsv([{ id: "1" }]));
    expect(answer.status).toBe(409);
    expect(answer.words).toContain("A load for this store is in progress.");
    expect(answer.words).toContain("1,200 rows so far");
    expect(answer.html).toMatch(/<button[^>]*aria-disabled="true"[^>]*>.*?Upload/s);
  });

  it("pages through a long history", async () => {
    const { who, path, storeId } = await makeKeeper();
    await database.sql`insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, finished_at)
      select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${storeId}, 'f' || n || '.tsv', 'tsv', 'loaded', 1, 1, 0, 0, now()
      from generate_series(1, 12) n`;
    const first = await who.get(path);
    expect(first.words).toContain("f12.tsv");
    expect(first.words).not.toContain("f2.tsv");
    const next = /href="([^"]*cursor=[^"]+)"/.exec(first.html)![1]!.replaceAll("&amp;", "&");
    const second = await who.get(`${path}${next.slice(next.indexOf("?"))}`);
    expect(second.words).toContain("f2.tsv");
    expect(second.words).not.toContain("f12.tsv Imported");
  });

  it("restores what stands on a later page of the history: many refused files came after it", async () => {
    const { who, path, page, send, settled, storeId } = await makeKeeper();
    for (const name of ["old.tsv", "new.tsv"]) {
      await send(tsv([{ id: name }]), name);
      await settled();
    }
    await expect.poll(async () => (await page()).words).toContain("new.tsv · Uploaded by");
    await database.sql`insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, finished_at)
      select ('ff900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${storeId}, 'f' || n || '.tsv', 'tsv', 'refused', 1, 0, 1, 0, now()
      from generate_series(1, 12) n`;
    const linkIn = (html: string, what: string) => {
      const found = new RegExp(`href="([^"]*${what}[^"]*)"`).exec(html)![1]!.replaceAll("&amp;", "&");
      return `${path}${found.slice(found.indexOf("?"))}`;
    };
    const second = await who.get(linkIn((await page()).html, "cursor="));
    const restore = await who.get(linkIn(second.html, "dialog=restore"));
    expect(restore.words).toContain("Restore this catalogue?");
    expect(restore.words).toContain("old.tsv");
    const undo = await who.get(linkIn(second.html, "dialog=undo"));
    expect(undo.words).toContain("Restore the previous catalogue?");
    // Behind both the history is where it was.
    for (const { words } of [restore, undo]) expect(words).not.toContain("f10.tsv");
  });
});

describe("a feed by its address", () => {
  it("is fetched at once, its state shown, changed, and removed after asking", async () => {
    const { who, path, page, settled } = await makeKeeper();
    feed = { status: 200, body: tsv([{ id: "1" }, { id: "2" }]) };
    expect(await who.post(path, { intent: "set-source", url: feedUrl })).toMatchObject({ status: 302, location: path });
    await expect.poll(async () => (await page()).words).toContain("daily.tsv · Fetched");
    const shown = await settled();
    for (const words of [feedUrl, "Daily", "New file", "Products 2"]) expect(shown.words).toContain(words);
    feed = { status: 500, body: "" };
    await who.post(path, { intent: "fetch-now" });
    await expect.poll(async () => (await page()).words).toContain("The server answered 500");
    expect((await page()).words).toContain("Products 2");
    // Another address that is refused takes nothing from the page: it is said in the dialog, and what stands stays.
    const url = "ftp://shop.example/other";
    const refused = await who.post(`${path}?dialog=change-source`, { intent: "set-source", url });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain(`value="${url}"`);
    for (const words of [feedUrl, "Fetch now", "Cancel"]) expect(refused.words).toContain(words);
    expect((await who.get(`${path}?dialog=remove-source`)).words).toContain("Stop fetching this feed?");
    await who.post(path, { intent: "remove-source" });
    expect((await page()).words).not.toContain(feedUrl);
  });

  /** What the page's form says that it showed. */
  const shownIn = (html: string) => /name="shown" type="hidden" value="([^"]*)"/.exec(html)![1]!;
  /** Somebody else who acts for the same merchant. */
  const colleagueOf = async ({ merchantId }: { merchantId: string }) =>
    logIn({ id: (await makeMerchant(database, merchantId)).accountId });

  it("that a colleague entered meanwhile is replaced by nobody who was shown none, and what they typed stays", async () => {
    const keeper = await makeKeeper();
    const { who, path, page } = keeper;
    const [colleague, theirs, mine] = [await colleagueOf(keeper), `${feedUrl}?theirs`, `${feedUrl}?mine`];
    feed = { status: 500, body: "" };
    const send = (html: string) => who.post(path, { intent: "set-source", url: mine, shown: shownIn(html) });
    const before = (await page()).html;
    await colleague.post(path, { intent: "set-source", url: theirs, shown: "" });
    const refused = await send(before);
    expect(refused.status).toBe(409);
    expect(refused.words).toContain("This feed address was changed in the meantime");
    expect(/<input[^>]*name="url"[^>]*>/.exec(refused.html)![0]).toContain(`value="${mine}"`);
    expect((await page()).words).toContain(theirs);
    expect(await send(refused.html)).toMatchObject({ status: 302, location: path });
    expect((await page()).words).toContain(mine);
  });

  it("that a colleague changed meanwhile is removed by nobody who was shown the one before", async () => {
    const keeper = await makeKeeper();
    const { who, path, page } = keeper;
    const [colleague, first, second] = [await colleagueOf(keeper), `${feedUrl}?first`, `${feedUrl}?second`];
    feed = { status: 500, body: "" };
    await who.post(path, { intent: "set-source", url: first, shown: "" });
    const asking = `${path}?dialog=remove-source`;
    const remove = (html: string) => who.post(asking, { intent: "remove-source", shown: shownIn(html) });
    const before = (await who.get(asking)).html;
    await colleague.post(`${path}?dialog=change-source`, { intent: "set-source", url: second, shown: first });
    const refused = await remove(before);
    expect(refused.status).toBe(409);
    expect(refused.words).toContain("The feed address was changed in the meantime, so it was not removed.");
    expect(refused.words).toContain(`${second} is no longer fetched.`);
    expect((await page()).words).toContain(second);
    expect((await remove(refused.html)).status).toBe(302);
    expect((await page()).words).not.toContain(second);
  });

  it("is told beside its store wherever stores are listed while it fails, and once it is off", async () => {
    const { storeId, merchantId, who, send, settled } = await makeKeeper("Alpha");
    const second = await makeStore(database, { name: "Beta" });
    await database.sql`update stores set merchant_id = ${merchantId} where id = ${second.id}`;
    await send(tsv([{ id: "1" }]));
    await settled();
    const fail = (id: string, next: Date | null) => database.sql`
      insert into feed_sources ${database.sql({ store_id: id, url: feedUrl, next_fetch_at: next, last_outcome: "failed", failures: 3 })}`;
    await fail(storeId, null);
    await fail(second.id, new Date(Date.now() + 86_400_000));
    const listed = (await who.get("/merchant/catalogue")).words;
    expect(listed).toMatch(/Alpha .* Loaded ?Feed off Beta .* None ?Feed failing/);
    expect((await who.get("/merchant")).words).toMatch(/now ?Feed off .* Beta.* Load a catalogue ?Feed failing/);
    expect((await who.get(`/merchant/stores/${second.slug}`)).words).toMatch(/Never ?Feed failing/);
    await database.sql`update feed_sources set last_outcome = 'unchanged', next_fetch_at = now(), failures = 0
      where store_id in (${storeId}, ${second.id})`;
    expect((await who.get("/merchant/catalogue")).words).not.toContain("Feed ");
  });

  it("is refused beside the field when it is no address, with what was typed", async () => {
    const { who, path } = await makeKeeper();
    for (const url of ["shop.example/feed", "ftp://shop.example/feed", "https://me:secret@shop.example/feed"]) {
      const answer = await who.post(path, { intent: "set-source", url });
      expect(answer.status).toBe(400);
      expect(answer.html).toContain(`value="${url}"`);
    }
    expect((await who.post(path, { intent: "nonsense" })).status).toBe(400);
  });

  it.each([
    ["http://10.1.2.3/feed.tsv", "10.1.2.3 is not an address on the public internet"],
    ["https://[fd00::1]:8443/feed.tsv", "fd00::1 is not an address on the public internet"],
    ["http://169.254.169.254/latest", "169.254.169.254 is not an address on the public internet"],
    ["http://shop.example:25/feed.tsv", "Port 25 is not allowed"],
  ])("is refused beside the field where nothing is ever fetched from: %s", async (url, why) => {
    const { who, path, storeId } = await makeKeeper();
    const answer = await who.post(path, { intent: "set-source", url });
    expect(answer.status).toBe(400);
    const field = /<input[^>]*name="url"[^>]*>/.exec(answer.html)![0];
    for (const part of [`value="${url}"`, 'aria-invalid="true"']) expect(field).toContain(part);
    expect(answer.words).toContain(why);
    expect(await database.sql`select from feed_sources where store_id = ${storeId}`).toHaveLength(0);
  });

  it("inside of our own network is not fetched by a server that serves the public", async () => {
    const strict = await startServer(database.url);
    try {
      const { storeId, who, path } = await makeKeeper();
      feed = { status: 200, body: tsv([{ id: "secret" }]) };
      // From before it was refused. The job of either instance may take it: only a name that neither may reach is sure.
      const url = feedUrl.replace("127.0.0.1", "127.0.0.2");
      await database.sql`insert into feed_sources ${database.sql({ store_id: storeId, url })}`;
      await who.post(path, { intent: "fetch-now" });
      await expect
        .poll(async () => (await who.get(path)).words)
        .toContain("127.0.0.2 is not an address on the public internet");
      expect((await stored(database, storeId)).products).toEqual([]);
    } finally {
      await strict.stop();
    }
  });
});

describe("an upload over the wire", () => {
  /** Sends a multipart body piece by piece. */
  function slowly(path: string, cookie: string) {
    const boundary = "x-boundary";
    const req = httpRequest(new URL(path, server.url), {
      method: "POST",
      headers: {
        cookie,
        origin: server.url,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "transfer-encoding": "chunked",
      },
    });
    req.on("error", () => {});
    req.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f.tsv"\r\n\r\n`);
    return req;
  }

  it("that breaks off leaves nothing", async () => {
    const { who, path, storeId, page } = await makeKeeper();
    const req = slowly(path, [...who.cookies].map((pair) => pair.join("=")).join("; "));
    req.write("id\ttitle\tlink\tprice\n");
    const files = () => database.sql`select from feed_files where store_id = ${storeId}`;
    await expect.poll(async () => (await files()).length).toBe(1);
    req.destroy();
    await expect.poll(async () => (await files()).length).toBe(0);
    expect((await page()).status).toBe(200);
  });

  /** From here on: how much more memory than now the server's process has had at once, bytes. */
  async function watchMemory(): Promise<() => Promise<number>> {
    const of = `/proc/${server.process.pid}`;
    const read = async (name: string) =>
      1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(await readFile(`${of}/status`, "utf8"))![1]);
    await writeFile(`${of}/clear_refs`, "5"); // what it had at most before
    const now = await read("VmRSS");
    return async () => (await read("VmHWM")) - now;
  }

  it("of 60 MB is never held in memory", async () => {
    const { send, settled } = await makeKeeper();
    const grown = await watchMemory();
    const noise = Array.from({ length: 400 }, () => Math.random().toString(36).slice(2)).join("");
    const line = `\t${"x"}\thttps://x.example\tnone\t${noise}\n`;
    const body = `id\ttitle\tlink\tprice\tdescription\n${line.repeat(Math.ceil(60_000_000 / line.length))}`;
    expect((await send(new Blob([body]))).status).toBe(302);
    expect(await grown()).toBeLessThan(60_000_000);
    expect((await settled()).words).toMatch(/All [\d,]+ rows are bad/);
  });
});

describe("who may see it", () => {
  it("only people of the store's merchant; everybody else is told that it is not there, or not theirs", async () => {
    const { path, send, settled } = await makeKeeper();
    await send(tsv([{ id: "1", price: "none" }, { id: "2" }]));
    const link = reportLink((await settled()).html);
    const other = (await makeKeeper("Other")).who;
    const form = new FormData();
    form.set("file", new File([tsv([{ id: "x" }])], "x.tsv"));
    for (const address of [path, link, `${link}/bad-rows`])
      expect((await other.get(address)).status, address).toBe(404);
    expect((await other.post(path, form)).status).toBe(404);
    expect((await other.post(path, { intent: "set-source", url: "https://x.example/f" })).status).toBe(404);
    const { owner } = await makeConsumer(database);
    for (const account of [owner, await makeAccount(database, { isOperator: true })]) {
      const who = await logIn(account);
      for (const address of [path, link, `${link}/bad-rows`])
        expect((await who.get(address)).status, address).toBe(403);
      expect((await who.post(path, form)).status).toBe(403);
    }
    const stranger = newVisitor(server.url);
    expect((await stranger.get(path)).location).toContain("/login?to=");
    expect((await stranger.post(path, form)).location).toBe(`/login?to=${encodeURIComponent(path)}&unsent`);
    expect((await other.post(path, form, { origin: "https://evil.example" })).status).toBe(403);
  });

  it("several stores are listed with what each shows", async () => {
    const { who, merchantId, send, settled } = await makeKeeper("Alpha");
    const second = await makeStore(database, { name: "Beta" });
    await database.sql`update stores set merchant_id = ${merchantId} where id = ${second.id}`;
    await send(tsv([{ id: "1" }]));
    await settled();
    const { status, words } = await who.get("/merchant/catalogue");
    expect(status).toBe(200);
    expect(words).toMatch(/Alpha Products 1 Shows spring\.tsv/);
    expect(words).toMatch(/Beta Products 0 Shows Nothing yet/);
  });
});
