// A file that was chosen: it stays until it is taken, and one that changed on disk since is to be chosen again.
import { mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeMerchant, makeStore } from "../support/factories";
import { tsv } from "../support/feeds/load";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

const COUNTS = "id\tstore_code\tquantity\n1\tA\t3\n";

async function openAsMerchant() {
  const store = await makeStore(database, { name: "Ridge & Sons" });
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await browser.openAs({ id: accountId });
  return { page, store };
}

it.each([
  ["catalogue", "Product feed", tsv([{ id: "1" }]), /feed\.tsv · Uploaded by/],
  ["stock", "Local inventory", COUNTS, "Remove all counts"],
] as const)(
  "a file for the %s that changed since it was chosen is to be chosen again",
  async (where, label, text, done) => {
    const { page, store } = await openAsMerchant();
    await visit(page, where === "stock" ? `/merchant/stores/${store.slug}/stock` : `/merchant/catalogue/${store.id}`);
    const path = join(mkdtempSync(join(tmpdir(), "aisle-")), "feed.tsv");
    writeFileSync(path, "half of it\n");
    const file = page.getByLabel(label);
    const upload = page.getByRole("button", { name: "Upload" });
    await file.setInputFiles(path);
    if (where === "stock") {
      await upload.click();
      await page.locator("input[type=file][aria-invalid=true]").waitFor();
    }
    // As browsers tell it: by when it was written, in seconds.
    writeFileSync(path, text);
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    await upload.click();
    const why = page.getByText("The file has changed since it was chosen. Choose it again.");
    await why.waitFor();
    expect(await page.getByText("The server could not be reached").count()).toBe(0);
    expect(await file.inputValue()).toBe("");
    expect(await file.getAttribute("aria-invalid")).toBe("true");
    await file.setInputFiles(path);
    expect(await why.count()).toBe(0);
    await upload.click();
    await page.getByText(done).first().waitFor();
  },
);

it("a file of counts stays chosen while all counts are removed, and goes once it is taken", async () => {
  const { page, store } = await openAsMerchant();
  await visit(page, `/merchant/stores/${store.slug}/stock`);
  const file = page.getByLabel("Local inventory");
  const send = { name: "a.tsv", mimeType: "text/plain", buffer: Buffer.from(COUNTS) };
  await file.setInputFiles(send);
  await page.getByRole("button", { name: "Upload" }).click();
  const remove = page.getByRole("link", { name: "Remove all counts" });
  await remove.waitFor();
  await expect.poll(() => file.inputValue()).toBe("");
  await file.setInputFiles({ ...send, name: "b.tsv" });
  await remove.click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove all counts" }).click();
  await page.getByText("Nothing is counted yet").waitFor();
  expect(await file.inputValue()).toContain("b.tsv");
});
