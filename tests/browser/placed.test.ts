// What stands where: nothing over another thing, nor out of its box, however long its names and narrow its page.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import { tools } from "../../server/tools";
import { testBrowser, visit } from "../support/browser";
import { callTool, issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { testServer } from "../support/server";
import { untilRecorded } from "../support/usage";

const database = testDatabase();
const server = testServer(database);
const { openAs } = testBrowser(server, database);
const at = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const lines = (one: Locator) => one.evaluate((element) => element.getClientRects().length);
const beyond = (one: Locator) => one.evaluate((element) => element.scrollWidth - element.clientWidth);

it("what a dialog says of a key reads on in the line that names it", async () => {
  const { id, owner } = await makeConsumer(database);
  const key = await issueKey(database, id);
  const page = await openAs(owner);
  await visit(page, `/console/keys?dialog=rotate&id=${key.id}`);
  const said = page.getByRole("dialog").getByText("A new key replaces");
  const [before, after] = await said.evaluate((element) => {
    const bottomOf = (text: ChildNode, from: number) => {
      const letter = document.createRange();
      letter.setStart(text, from);
      letter.setEnd(text, from + 1);
      return letter.getBoundingClientRect().bottom;
    };
    const name = element.querySelector("code")!;
    const { top, bottom } = name.getBoundingClientRect();
    const isBeside = (y: number) => y > top && y <= bottom + 8;
    return [isBeside(bottomOf(name.previousSibling!, 0)), isBeside(bottomOf(name.nextSibling!, 0))];
  });
  expect([before, after]).toEqual([true, true]);
});

it("a member's buttons cover no word of theirs at any width, and an address that fits is in one line on a phone", async () => {
  const { id, slug } = await makeConsumer(database);
  const [someone, reviewer] = [
    await makeAccount(database, { name: LONG }),
    await makeAccount(database, { email: "reviewer.of.it@demo.example" }),
  ];
  await database.db.insert(members).values([
    { consumerId: id, accountId: someone.id, role: "developer" },
    { consumerId: id, accountId: reviewer.id, role: "reviewer", endsAt: new Date(Date.now() + 86_400_000) },
  ]);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await page.goto(`/admin/consumers/${slug}/members`);
  const table = page.getByRole("region", { name: "Members" });
  for (const width of [1440, 1280, 1024, 900, 768, 700, 500, 390, 320]) {
    await at(page, width);
    expect(await beyond(table), `at ${width}`).toBe(0);
    expect(await table.evaluate(covered), `at ${width}`).toEqual([]);
  }
  await at(page, 390);
  expect(await lines(table.getByText(reviewer.email))).toBe(1);
  expect((await table.getByText(reviewer.email).boundingBox())!.height).toBeLessThan(24);
});

/** Words of a table that one of its buttons lies over. */
function covered(table: Element): string[] {
  const buttons = [...table.querySelectorAll("a")].map((one) => one.getBoundingClientRect());
  const words = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let text = words.nextNode() as Text | null; text; text = words.nextNode() as Text | null) {
    if (text.parentElement!.closest("a, caption, .sr-only, thead")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const isOver = ({ left, right, top, bottom }: DOMRect) =>
      [...range.getClientRects()].some(
        (line) => line.right > left + 1 && line.left < right - 1 && line.bottom > top + 1 && line.top < bottom - 1,
      );
    if (buttons.some(isOver)) found.push(text.data);
  }
  return found;
}

it("where tabs go on beyond an end of their list, that end fades, and the current one stands clear of it", async () => {
  const page = await openAs(await makeAccount(database));
  await at(page, 390);
  const tabs = page.getByRole("navigation", { name: "Account", exact: true });
  const list = tabs.getByRole("list");
  const faded = () => list.evaluate((one) => getComputedStyle(one).maskImage.match(/[\d.]+px/)?.[0]);
  const clear = () =>
    list.evaluate((one) => {
      const [box, tab] = [one, one.querySelector("[aria-current=page]")!].map((each) => each.getBoundingClientRect());
      return tab!.left >= box!.left + (one.scrollLeft > 0 ? 31 : 0) && tab!.right <= box!.right - 31;
    });
  await visit(page, "/account/delete");
  await expect.poll(faded).toBe("32px");
  expect(await clear()).toBe(true);
  await tabs.getByRole("link", { name: "Two-factor" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Two-factor authentication" }).waitFor();
  await expect.poll(clear).toBe(true);
  await tabs.getByRole("link", { name: "Profile" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
  await expect.poll(faded).toBe("0px");
});

it("tabs that all fit once a phone is turned fade at no end that has one of them", async () => {
  const { slug, name } = await makeConsumer(database);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  const list = page.getByRole("navigation", { name: `Pages of ${name}` }).getByRole("list");
  const faded = () => list.evaluate((one) => getComputedStyle(one).maskImage.match(/[\d.]+px/)?.[0]);
  await at(page, 390);
  await visit(page, `/admin/consumers/${slug}/history`);
  for (const [width, begin] of [
    [390, "32px"],
    [844, "0px"],
    [390, "32px"],
  ] as const) {
    await at(page, width);
    await expect.poll(faded, { timeout: 10_000, message: `at ${width}` }).toBe(begin);
  }
});

it("operators see each request in two lines at most, and its store's name in one", async () => {
  const { id } = await makeConsumer(database, { name: "Demo assistant", state: "production" });
  const { value } = await issueKey(database, id, { name: "Production server" });
  const store = await makeStore(database, { name: "Ridgeline Supply" });
  await callTool(server.url, value, "get_store_info", { store_id: store.id });
  for (const { name } of tools) await callTool(server.url, value, name, {});
  await untilRecorded(database);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await at(page, 1440);
  await visit(page, "/admin/requests");
  const log = page.getByRole("region", { name: "Requests, newest first" });
  const named = log.getByRole("cell", { name: "Ridgeline Supply" }).locator("div");
  expect(await named.evaluate((one) => one.getBoundingClientRect().height)).toBeLessThan(24);
  const rows = log.getByRole("row").filter({ hasText: "Demo assistant" });
  expect(await rows.count()).toBe(tools.length + 1);
  for (const row of await rows.all()) expect((await row.boundingBox())!.height).toBeLessThan(60);
});

it("past calls of the Playground stand in columns, whichever tools they called", async () => {
  const page = await openAs((await makeConsumer(database)).owner, { viewport: { width: 1440, height: 900 } });
  for (const tool of ["list_stores", "search_store_policies"]) {
    await visit(page, `/console/playground?tool=${tool}`);
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("region", { name: "Answer" }).waitFor();
  }
  const calls = page.locator("main ol a");
  expect(await calls.count()).toBe(2);
  const [newest, oldest] = await calls.evaluateAll((all) =>
    all.map((call) => [...call.children].map((one) => Math.round(one.getBoundingClientRect().left))),
  );
  expect(newest).toEqual(oldest);
});

it("what is said where there is nothing stands in the middle of its box, however high what is beside it", async () => {
  const { owner } = await makeConsumer(database, { state: "production" });
  const page = await openAs(owner, { viewport: { width: 1440, height: 900 } });
  await visit(page, "/console");
  const empty = page.locator("[data-said='No calls in the last 24 hours']");
  const [above, below] = await empty.evaluate((one) => {
    const box = one.parentElement!.getBoundingClientRect();
    return [
      one.firstElementChild!.getBoundingClientRect().top - box.top,
      box.bottom - one.lastElementChild!.getBoundingClientRect().bottom,
    ];
  });
  expect(Math.abs(above! - below!)).toBeLessThan(2);
});

it("a member whose name is written from right to left is told apart from what says that it is you", async () => {
  const { owner } = await makeConsumer(database);
  await database.sql`update accounts set name = 'منى خليل' where id = ${owner.id}`;
  const page = await openAs(owner);
  await visit(page, "/console/members");
  const gap = await page.getByText("(you)").evaluate((you) => {
    const name = document.createRange();
    name.selectNode(you.parentElement!.firstChild!);
    return name.getBoundingClientRect().left - you.getBoundingClientRect().right;
  });
  expect(gap).toBeGreaterThan(2);
});

it("in the queue where a platform runs is not broken within a word, however long its company's name", async () => {
  const { id } = await makeConsumer(database, { state: "under_review" });
  await database.sql`update applications set platform = 'WhatsApp', company = ${`${"Harbour and Quay ".repeat(8)}Ltd`} where consumer_id = ${id}`;
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, "/admin");
  for (const width of [1440, 1280]) {
    await at(page, width);
    const { height } = (await page.getByText("WhatsApp", { exact: true }).boundingBox())!;
    expect(height, `at ${width}`).toBeLessThan(30);
    expect(await beyond(page.getByRole("region", { name: "Waiting for a decision" })), `at ${width}`).toBe(0);
  }
});

it("whoever issued a key, its buttons stay in sight", async () => {
  const { id, owner } = await makeConsumer(database);
  const someone = await makeAccount(database, { name: LONG });
  await database.db.insert(members).values({ consumerId: id, accountId: someone.id, role: "owner" });
  const key = await issueKey(database, id);
  await database.sql`update keys set created_by = ${someone.id} where id = ${key.id}`;
  const page = await openAs(owner);
  await page.goto("/console/keys");
  await page.getByText(`by ${LONG}`).waitFor();
  for (const width of [1440, 1280, 1024, 390]) {
    await at(page, width);
    expect(await beyond(page.getByRole("region", { name: "Working keys" })), `at ${width}`).toBe(0);
  }
});

it("a key's form that was refused on a phone can be sent, or left, without scrolling to its end", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  await visit(page, "/console/keys?dialog=issue");
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  const buttons = [page.getByRole("button", { name: "Issue key" }), page.getByRole("link", { name: "Cancel" })];
  await buttons[0]!.click();
  await page.getByText("Choose at least one scope.").waitFor();
  const dialog = page.getByRole("dialog");
  for (const height of [844, 568]) {
    await page.setViewportSize({ width: 390, height });
    await dialog.evaluate((one) => one.scrollTo(0, 0));
    const end = await dialog.evaluate((one) => one.getBoundingClientRect().bottom);
    for (const button of buttons) {
      const box = (await button.boundingBox())!;
      expect(box.y + box.height, `at ${height}`).toBeLessThan(end);
    }
  }
});

it("details are seen whole in a narrow box of a wide window", async () => {
  const { slug } = await makeConsumer(database, { termsVersion: "2025-01-01" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await page.goto(`/admin/consumers/${slug}`);
  for (const width of [1440, 1280, 1024, 768, 390]) {
    await at(page, width);
    const value = page.locator("dd").filter({ hasText: "not accepted" });
    expect(await beyond(value), `at ${width}`).toBe(0);
  }
});

it("what is lost with an account is named whole on a phone", async () => {
  const { owner } = await makeConsumer(database, { name: LONG });
  const page = await openAs(owner);
  await at(page, 390);
  await page.goto("/account/delete");
  expect(await beyond(page.getByRole("listitem").filter({ hasText: LONG }))).toBe(0);
});

it("under a finger, too, what a box to tick means begins below its label", async () => {
  const { id, owner } = await makeConsumer(database);
  const key = await issueKey(database, id);
  const page = await openAs(owner, { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  await page.goto(`/console/keys?dialog=rotate&id=${key.id}`);
  const left = async (text: string) => (await page.getByRole("dialog").getByText(text).boundingBox())!.x;
  expect(await left("For a key that may have leaked")).toBe(await left("Revoke the old key now"));
});

it("on a phone each time and figure of a chart's table stands in one line", async () => {
  const { id, owner } = await makeConsumer(database);
  await callTool(server.url, (await issueKey(database, id)).value, "list_stores", {});
  await untilRecorded(database);
  const page = await openAs(owner);
  await at(page, 390);
  await page.goto("/console/usage");
  await page.getByText("Show as a table").click();
  const rows = page.locator("figure table").getByRole("row");
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(heights.filter((height) => height > 34)).toEqual([]);
  expect(heights.length).toBeGreaterThan(24);
});
