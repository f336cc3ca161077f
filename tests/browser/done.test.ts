// What was done is told without moving the page, once, with scripts and without; what was refused is not told as done.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { hold, setUpApp, testBrowser, untilAlive, visit } from "../support/browser";
import { issueKey } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { makeAccountWithPassword, PASSWORD } from "../support/people";
import type { Person } from "../support/roles";
import { testServer } from "../support/server";
import { messages } from "./told";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

// Low enough that the longer forms do not fit: a page that is scrolled shows whether it stays where it was.
const viewport = { width: 1440, height: 500 };
const openAs = async (person: Person, javaScriptEnabled = true) =>
  browser.openAs(person, { javaScriptEnabled, viewport });
const places = (page: Page) =>
  page.evaluate<number[]>(
    "[...document.querySelectorAll('main h1, main form button')].map((one) => one.getBoundingClientRect().top)",
  );

it("what was not saved is not told as saved, where the same was saved before", async () => {
  const operator = await makeAccount(database, { isOperator: true });
  const page = await openAs(operator);
  await visit(page, "/admin/settings");
  const save = page.getByRole("button", { name: "Save settings" });
  await save.click();
  await messages(page, "The settings have been saved").waitFor();
  await messages(page, "The settings have been saved").waitFor({ state: "detached" });
  await page.context().setOffline(true);
  await save.click();
  await page.getByText("The server could not be reached").first().waitFor();
  expect(await messages(page, "The settings have been saved").count()).toBe(0);
});

it("what was saved is told where one stands, and not again when the page is loaded again", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const operator = await makeAccount(database, { isOperator: true });
  const store = await makeStore(database);
  const cases: [person: Person, path: string, button: string, words: string][] = [
    [owner, "/account", "Save name", "Your name has been changed"],
    [owner, "/console/application", "Save changes", "Saved. The review uses what you have entered here."],
    [operator, "/admin/settings", "Save settings", "The settings have been saved"],
    [operator, `/admin/merchants/${store.merchantId}/stores/${store.id}`, "Save changes", "The store has been saved"],
  ];
  for (const [person, path, name, words] of cases) {
    const page = await openAs(person);
    await visit(page, path);
    const button = page.getByRole("button", { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    const before = await places(page);
    await button.click();
    await messages(page, words).waitFor();
    expect(await places(page), path).toEqual(before);
    await page.reload({ waitUntil: "networkidle" });
    await untilAlive(page);
    expect(await messages(page, words).count(), path).toBe(0);
    await button.click();
    await messages(page, words).waitFor();
  }
});

it("a form that is being sent is answered, though a dialog's link is pressed meanwhile; that opens afterwards", async () => {
  const { slug } = await makeConsumer(database);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/consumers/${slug}`);
  const { release } = await hold(page, "POST", "**/*.data*");
  await page.getByLabel("Requests per minute").fill("77");
  await page.getByRole("button", { name: "Save access" }).click();
  await page.locator("button[aria-disabled]").waitFor();
  const link = page.getByRole("link", { name: "Revoke access" });
  await link.dispatchEvent("click");
  release();
  await messages(page, /saved|changed/i).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await database.sql`select rate_limit from consumers where slug = ${slug}`).toEqual([{ rate_limit: 77 }]);
  await link.click();
  await page.getByRole("dialog").waitFor();
});

it("on a phone what was saved is told over the top bar: the button at the foot can be pressed again at once, and the heading read", async () => {
  const { owner } = await makeConsumer(database, { state: "under_review" });
  const operator = await makeAccount(database, { isOperator: true });
  const store = await makeStore(database);
  const cases: [person: Person, path: string, button: string, words: string][] = [
    [owner, "/console/application", "Save changes", "Saved. The review uses what you have entered here."],
    [operator, "/admin/settings", "Save settings", "The settings have been saved"],
    [operator, `/admin/merchants/${store.merchantId}/stores/${store.id}`, "Save changes", "The store has been saved"],
  ];
  for (const [person, path, name, words] of cases) {
    const page = await openAs(person);
    await page.setViewportSize({ width: 390, height: 500 });
    await visit(page, path);
    const button = page.getByRole("button", { name, exact: true });
    // As low as it comes: where a thumb presses it.
    await button.evaluate((one) => one.scrollIntoView({ block: "end" }));
    await button.click();
    const message = messages(page, words);
    // It stays while it is pointed at.
    await message.hover();
    await page.getByRole("button", { name, exact: true, disabled: false }).waitFor();
    expect(await button.evaluate(isOnTop), path).toBe(true);
    await page.evaluate("scrollTo(0, 0)");
    expect(await below(page, message), path).toEqual([]);
    // Nothing moves for who has asked for that.
    expect(await message.evaluate((one) => Number.parseFloat(getComputedStyle(one).animationDuration))).toBeLessThan(
      0.001,
    );
  }
});

it("on a phone the longest of what is told, three lines, leaves the heading to be read", async () => {
  const { id, owner } = await makeConsumer(database, { state: "sandbox" });
  await issueKey(database, id, { name: "The catalogue server of the office" });
  const page = await openAs(owner);
  await page.setViewportSize({ width: 390, height: 800 });
  await visit(page, "/console/keys");
  await page.getByRole("link", { name: "Revoke The catalogue server of the office" }).click();
  await page
    .getByLabel("Type The catalogue server of the office to confirm")
    .fill("The catalogue server of the office");
  await page.getByRole("button", { name: "Revoke key" }).click();
  const message = messages(page, /The key The catalogue server of the office \(.+\) is revoked\./);
  await message.hover();
  expect((await message.boundingBox())!.height).toBeGreaterThan(70);
  expect(await below(page, message)).toEqual([]);
});

/** What of the page itself a message lies over. */
const below = async (page: Page, message: Locator) => {
  const { y, height } = (await message.boundingBox())!;
  return page.evaluate<string[]>(`[...document.querySelectorAll("main > *")]
    .filter((one) => one.clientHeight > 0 && one.getBoundingClientRect().top < ${y + height}).map((one) => one.innerText)`);
};

/** Whether a press anywhere on it is one of it. */
const isOnTop = (one: Element) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const middle = (top + bottom) / 2;
  return [left + 4, (left + right) / 2, right - 4].every((x) => one.contains(document.elementFromPoint(x, middle)));
};

it("a key that was revoked is told of, and goes from those that work; focus stays with them", async () => {
  const { id, owner } = await makeConsumer(database, { state: "sandbox" });
  await issueKey(database, id, { name: "Server" });
  const page = await openAs(owner);
  await visit(page, "/console/keys");
  await page.getByRole("link", { name: "Revoke Server" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  const name = page.getByLabel("Type Server to confirm");
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await name.fill("Server");
  await page.getByRole("button", { name: "Revoke key" }).click();
  await messages(page, /The key Server \(.+\) is revoked\. Its next call is refused\./).waitFor();
  await page.getByRole("heading", { name: "No working keys" }).waitFor();
  // The button that opened the dialog is gone with the key: focus stays where it stood.
  await page.locator("section:focus").filter({ hasText: "No working keys" }).waitFor();
});

it("Cancel beside a half-typed name closes the dialog, pressed at its edge too: nothing moves away from under the press", async () => {
  const { id, owner } = await makeConsumer(database, { state: "sandbox" });
  const key = await issueKey(database, id, { name: "Server" });
  const page = await openAs(owner);
  await visit(page, `/console/keys?dialog=revoke&id=${key.id}`);
  await page.getByLabel("Type Server to confirm").fill("Serv");
  const { x, y, width } = (await page.getByRole("link", { name: "Cancel" }).boundingBox())!;
  await page.mouse.move(x + width / 2, y + 2);
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

it("a decision is told of, what came of it is in view, and its reason keeps its lines, also for whom it is about", async () => {
  const { slug, owner } = await makeConsumer(database, { state: "production_requested" });
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  const reason = "The website shows no product.\n\nPlease add:\n- a page about it\n- a way to reach you";
  await visit(page, `/admin/review/${slug}`);
  await page.getByRole("link", { name: "Decline" }).click();
  await page.getByLabel("Reason").fill(reason);
  await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
  await page.getByRole("button", { name: "Decline", exact: true }).click();
  await messages(page, "Production access has been declined").waitFor();
  const result = page.getByRole("status").filter({ hasText: "declined production access" });
  const { y, height } = (await result.boundingBox())!;
  expect([y >= 0, y + height <= viewport.height]).toEqual([true, true]);
  const lines = async (on: Page) => (await on.locator("main").innerText()).replaceAll(/\n+/g, "\n");
  const paragraphs = reason.replaceAll("\n\n", "\n");
  expect((await lines(page)).split(paragraphs)).toHaveLength(3);
  const own = await openAs(owner);
  await visit(own, "/console");
  expect(await lines(own)).toContain(paragraphs);
});

it("what is refused after something was done is shown, and not told as done", async () => {
  const operator = await makeAccount(database, { isOperator: true });
  const [page, other] = [await openAs(operator), await openAs(operator)];
  const save = async (on: Page, calls: string) => {
    await on.getByLabel("Calls per minute").fill(calls);
    await on.getByRole("button", { name: "Save settings" }).click();
  };
  await visit(page, "/admin/settings");
  await save(page, "51");
  // What is told goes by itself after six seconds, but not from under a pointer.
  await messages(page, "The settings have been saved").hover();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await visit(other, "/admin/settings");
  await save(other, "52");
  await messages(other, "The settings have been saved").waitFor();
  await page.evaluate(() => {
    const own = window as unknown as { alerts: (string | null)[] };
    own.alerts = [];
    const seen = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const alert of document.querySelectorAll("[role=alert]")) {
        if (!seen.has(alert)) own.alerts.push(alert.textContent);
        seen.add(alert);
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await save(page, "53");
  const why = page.getByRole("alert");
  await why.filter({ hasText: "Saved now, different from your form" }).waitFor();
  // Once, and of what is saved now: not of what the page showed before.
  expect(await page.evaluate("window.alerts")).toEqual([expect.stringContaining("calls per minute: 52. Yours: 53.")]);
  expect(await messages(page, "The settings have been saved").count()).toBe(0);
  const box = (await why.boundingBox())!;
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
});

it("who is told that a store was changed meanwhile saves theirs with the next press", async () => {
  const operator = await makeAccount(database, { isOperator: true });
  const store = await makeStore(database);
  const [page, other] = [await openAs(operator), await openAs(operator)];
  const save = async (on: Page, name: string) => {
    await on.getByLabel("Name", { exact: true }).fill(name);
    await on.getByRole("button", { name: "Save changes" }).click();
  };
  for (const one of [page, other]) await visit(one, `/admin/merchants/${store.merchantId}/stores/${store.id}`);
  await save(other, "Theirs");
  await messages(other, "The store has been saved").waitFor();
  await save(page, "Mine");
  await page.getByRole("alert").filter({ hasText: "The store was changed in the meantime" }).waitFor();
  // The form is drawn anew with what they saved: a press that begins before and ends after is none.
  await page.getByRole("heading", { name: "Theirs" }).waitFor();
  await page.getByRole("button", { name: "Save changes", disabled: false }).click();
  await messages(page, "The store has been saved").waitFor();
  await page.getByRole("heading", { name: "Mine" }).waitFor();
});

it("without scripts it stands above the page", async () => {
  const page = await openAs(await makeAccount(database), false);
  await page.goto("/account");
  await page.getByRole("button", { name: "Save name" }).click();
  await page.getByRole("status").filter({ hasText: "Your name has been changed" }).waitFor();
});

it("an open dialog has the focus before scripts come, and without them; its first field has it afterwards", async () => {
  const { owner } = await makeConsumer(database, { state: "sandbox" });
  for (const javaScriptEnabled of [false, true]) {
    const page = await openAs(owner, javaScriptEnabled);
    await page.goto("/console/keys?dialog=issue", { waitUntil: "networkidle" });
    const dialog = page.getByRole("dialog");
    if (javaScriptEnabled) await untilAlive(page);
    else {
      await page.locator("dialog:focus").waitFor();
      expect(await dialog.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe("none");
      await page.keyboard.press("Tab");
    }
    await page.locator("dialog input[name=name]:focus").waitFor();
  }
});

it("a set-up of an authenticator app that was begun again elsewhere leads back to where it is begun", async () => {
  const person = await makeAccountWithPassword(database);
  const [page, other] = [await openAs(person), await openAs(person)];
  for (const each of [page, other]) {
    await visit(each, "/account/two-factor");
    await setUpApp(each);
  }
  await page.getByLabel("Code", { exact: true }).fill("123456");
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByText("or was started again elsewhere. Start again and scan the new code.").waitFor();
  await page.getByRole("heading", { name: "Two-factor authentication is off" }).waitFor();
});

it("a mail that is sent again is said to be, with scripts and without", async () => {
  // Few: there is a limit to how many one address has sent.
  for (const [path, javaScriptEnabled] of [
    ["/forgot", true],
    ["/resend", false],
  ] as const) {
    const page = await browser.open({ viewport, javaScriptEnabled });
    await page.goto(path, { waitUntil: "networkidle" });
    if (javaScriptEnabled) await untilAlive(page);
    await page.getByLabel("Email").fill(`${crypto.randomUUID()}@example.com`);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    const again = javaScriptEnabled ? messages(page, "Sent again") : page.getByRole("status").getByText("Sent again");
    expect(await again.count()).toBe(0);
    await page.getByRole("button", { name: "Send it again" }).click();
    await again.waitFor();
  }
});

it("terms that were accepted are told of, and who accepted them is at the page's content", async () => {
  const { owner } = await makeConsumer(database, { termsVersion: null });
  const page = await openAs(owner);
  await visit(page, "/console");
  await page.getByRole("button", { name: /^Accept version/ }).click();
  await messages(page, "Terms accepted").waitFor();
  await page.locator("#content:focus").waitFor();
  expect(await page.getByRole("button", { name: /^Accept version/ }).count()).toBe(0);
});

it("a button that goes with what it did leaves the focus with what stood around it", async () => {
  const store = await makeStore(database, { name: "Alder" });
  await database.sql`update stores set ai_discovery = false where id = ${store.id}`;
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  await visit(page, "/merchant");
  await page.getByRole("button", { name: "Turn on AI Discovery for Alder" }).press("Enter");
  await messages(page, "AI Discovery is on").waitFor();
  await page.locator("main section:focus").filter({ hasText: "Alder" }).waitFor();
});

it("an address of a feed that was removed is told of", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  await database.sql`insert into feed_sources ${database.sql({ store_id: store.id, url: "https://shop.example/a.tsv" })}`;
  const page = await openAs({ id: accountId });
  await visit(page, `/merchant/catalogue/${store.id}?dialog=remove-source`);
  await page.getByRole("button", { name: "Remove the address" }).click();
  await messages(page, "The address is removed").waitFor();
  await page.getByLabel("Address", { exact: true }).waitFor();
});

it("Back leads from what a dialog did to the page behind it, and not into the dialog again", async () => {
  const store = await makeStore(database);
  const { accountId } = await makeMerchant(database, store.merchantId);
  const page = await openAs({ id: accountId });
  const dialog = page.getByRole("dialog");
  const backFrom = async (words: string) => {
    await messages(page, words).waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has("done"));
    expect(new URL(page.url()).search).toBe("");
    expect(await dialog.count()).toBe(0);
  };
  const shop = `/merchant/stores/${store.slug}`;
  await visit(page, `${shop}/policies`);
  await page.getByRole("link", { name: "Add a policy" }).click();
  await dialog.getByLabel("About").selectOption("faq");
  await dialog.getByLabel("Question").fill("Do you ship abroad?");
  await dialog.getByLabel("Answer").fill("To all of Europe.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await backFrom("Saved");

  await visit(page, `${shop}/policies`);
  await page.getByRole("link", { name: "Remove: Do you ship abroad?" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await backFrom("Removed");

  await visit(page, `${shop}/loyalty`);
  await page.getByRole("link", { name: "Add a programme" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Summit");
  await dialog.getByLabel("What members get").fill("Points for each purchase.");
  await dialog.getByLabel("Terms").fill("https://shop.example/terms");
  await dialog.getByRole("textbox", { name: "Tier 1" }).fill("Base");
  await dialog.getByLabel("From points").first().fill("0");
  await dialog.getByLabel("Points multiplier").first().fill("1");
  await dialog.getByRole("textbox", { name: "Rule 1" }).fill("A point for each euro.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await backFrom("Saved");
});

it("Back closes a dialog, however often it was refused", async () => {
  const { merchantId } = await makeStore(database);
  const page = await openAs(await makeAccount(database, { isOperator: true }));
  await visit(page, `/admin/merchants/${merchantId}?dialog=add`);
  const steps = () => page.evaluate(() => window.history.length);
  const before = await steps();
  for (let i = 0; i < 2; i++) {
    await page.getByLabel("Email").fill(`${crypto.randomUUID()}@example.com`);
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    expect((await answer).status()).toBeGreaterThanOrEqual(400);
    await page.locator("[aria-invalid=true], [role=alert]").first().waitFor();
  }
  await page.getByRole("button", { name: "Add", exact: true, disabled: false }).waitFor();
  expect(await steps()).toBe(before);
});

it("an address in capitals confirms as it does in small letters, as the server takes it", async () => {
  const person = await makeAccountWithPassword(database);
  const page = await openAs(person);
  await visit(page, "/account/delete?dialog=delete");
  const name = page.getByLabel(/^Type .+ to confirm$/);
  const send = async () => {
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Delete the account" }).last().click();
  };
  await name.fill("somebody@else.example");
  await send();
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await name.fill(person.email.toUpperCase());
  expect(await name.getAttribute("aria-invalid")).not.toBe("true");
  await send();
  await page.waitForURL("**/login**");
});
