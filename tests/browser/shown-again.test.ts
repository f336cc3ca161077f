// What a page shows once more: what stands now, and not what stood there before; what is not about it stays.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { members } from "../../db/schema/consumers";
import * as consumers from "../../server/services/consumers";
import * as settings from "../../server/services/settings";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const { openAs } = testBrowser(server, database);

it("after a conflict a decision is made about what stands, not about what was shown before", async () => {
  const platform = await makeConsumer(database, { state: "production_requested" });
  const colleague = await makeAccount(database, { isOperator: true });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, "/admin");
  await page.getByRole("link", { name: platform.name }).first().click();
  const scope = page.getByRole("checkbox", { name: /loyalty:read/ });
  await scope.waitFor();
  expect(await scope.isChecked()).toBe(true);
  const without = platform.scopes.filter((one) => one !== "loyalty:read");
  const ctx = database.as({ kind: "operator", accountId: colleague.id } as const);
  await consumers.change(ctx, { slug: platform.slug, set: { scopes: without } });
  await page.getByRole("button", { name: "Approve for production" }).click();
  await page.getByRole("link", { name: "Refresh" }).click();
  await page.getByRole("link", { name: "Refresh" }).waitFor({ state: "detached" });
  expect(await scope.isChecked()).toBe(false);
});

it("the settings, opened once more, are what a colleague saved meanwhile", async () => {
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, "/admin");
  const open = page.getByRole("link", { name: "Settings", exact: true });
  await open.click();
  const keys = page.getByLabel("Maximum keys").first();
  await keys.waitFor();
  const { version, lastChange: _, ...now } = await settings.get(database.as({ kind: "operator", accountId: null }));
  const next = now.sandboxMaxKeys + 3;
  const saved = settings.ChangeSettings.parse({ ...now, version, sandboxMaxKeys: next });
  await settings.change(database.as({ kind: "operator", accountId: null }), saved);
  await open.click();
  await expect.poll(() => keys.inputValue()).toBe(String(next));
});

it("an application, opened once more, is what another owner wrote meanwhile", async () => {
  const platform = await makeConsumer(database, { state: "under_review" });
  const other = await makeAccount(database);
  await database.db.insert(members).values({ consumerId: platform.id, accountId: other.id, role: "owner" });
  const page = await openAs(platform.owner);
  await visit(page, "/console");
  const open = page.getByRole("navigation").getByRole("link", { name: "Application" });
  await open.click();
  const use = page.getByLabel("How shoppers will use it");
  await use.waitFor();
  const text = "They ask for what goes with what they have.";
  await database.sql`
    update applications set shopper_use = ${text}, updated_at = now() where consumer_id = ${platform.id}`;
  await open.click();
  await expect.poll(() => use.inputValue()).toBe(text);
});

it("Back leads from a tool that was run to the one before it", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/playground");
  const tool = page.getByLabel("Tool", { exact: true });
  const first = await tool.inputValue();
  await tool.selectOption("list_stores");
  await page.waitForURL("**?tool=list_stores");
  await page.locator("[id^=argument]").first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.locator("#answer").waitFor();
  await page.goBack();
  await expect.poll(() => tool.inputValue()).toBe(first);
});

it("a chosen file stays where another page of the history is shown", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await database.sql`
    insert into feed_loads (id, store_id, source, file_name, format, outcome, requested_at, finished_at, rows, loaded, rejected, vanished)
    select ('01900000-0000-7000-8000-0000000000' || 50 - i)::uuid, ${store.id}, 'upload', i || '.tsv', 'tsv', 'refused',
      now() - i * interval '1 day', now() - i * interval '1 day', 0, 0, 0, 0 from generate_series(1, 12) i`;
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/catalogue/${store.id}`);
  const field = page.getByLabel("Product feed");
  await field.setInputFiles({ name: "next.tsv", mimeType: "text/plain", buffer: Buffer.from("id\n1\n") });
  await page.getByRole("link", { name: "Next" }).click();
  await page.waitForURL("**cursor=**");
  await page.getByText("12.tsv").first().waitFor();
  const chosen = () => field.evaluate((input: HTMLInputElement) => input.files!.length);
  expect(await chosen()).toBe(1);

  // Nor does a colleague's load take it away.
  await database.sql`
    insert into feed_loads (id, store_id, source, file_name, format, outcome, requested_at, finished_at, rows, loaded, rejected, vanished)
    values (${randomUUID()}, ${store.id}, 'upload', 'colleagues.tsv', 'tsv', 'refused', now(), now(), 0, 0, 0, 0)`;
  await page.getByRole("link", { name: "Previous" }).click();
  await page.getByText("colleagues.tsv").first().waitFor();
  expect(await chosen()).toBe(1);
});

it("what came of a request to the client doctor is said as it comes", async () => {
  const { owner } = await makeConsumer(database);
  const page = await openAs(owner);
  await visit(page, "/console/doctor");
  // Where nothing has come yet stands what to do next.
  await page.getByRole("region", { name: "Requests" }).getByRole("button", { name: "Check my client" }).click();
  const address = await page.getByLabel("Address", { exact: true }).innerText();
  await fetch(address, { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" });
  await page
    .getByRole("status")
    .filter({ hasText: /^\d+ faults?\. The request ends in [0-9a-f]{8}\.$/ })
    .waitFor({ state: "attached" });
});
