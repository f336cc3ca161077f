// The documentation on paper: all of it, light, and nothing that is there to be pressed.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { tools } from "../../server/tools";
import { codeAt } from "../support/authenticator";
import { setUpApp, testBrowser, visit } from "../support/browser";
import { testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makeAccountWithPassword } from "../support/people";
import { testServer } from "../support/server";

const database = testDatabase();
const server = testServer(database);
const browser = testBrowser(server, database);

/** What A4 leaves beside margins of a centimetre, in CSS pixels. */
const PAPER = { width: 718, height: 1047 };
const [{ name: tool }] = tools as unknown as [{ name: string }];

/** As it is printed, by who looks at it dark. */
async function printed(page: Page, path: string): Promise<Page> {
  await page.context().addCookies([{ name: "aisle-theme", value: "dark", url: server.url }]);
  await page.setViewportSize(PAPER);
  await visit(page, path);
  await page.emulateMedia({ media: "print", colorScheme: "dark", reducedMotion: "reduce" });
  return page;
}

const shown = `[...document.querySelectorAll("body *")].filter((one) => one.checkVisibility({ visibilityProperty: true }))`;
const named = `(one) => one.tagName.toLowerCase() + "." + one.className + ": " + one.textContent.slice(0, 40)`;

/** What holds more than it shows: on paper nobody scrolls. What is for screen readers alone is a pixel wide. */
const cutOff = `${shown}.filter((one) => {
  const { overflowX, overflowY } = getComputedStyle(one);
  const isCut = (overflow, more) => overflow !== "visible" && more > 1;
  return one.clientWidth > 1 &&
    (isCut(overflowX, one.scrollWidth - one.clientWidth) || isCut(overflowY, one.scrollHeight - one.clientHeight));
}).map(${named})`;

/** What the last thing in it says that takes any room. */
const lastSeen = (box: Element) => [...box.children].findLast((one) => one.checkVisibility())!.textContent;

/** Text that is nearer to white than to black. */
const pale = `(() => {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const isPale = (colour) => {
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue] = pixel.getImageData(0, 0, 1, 1).data;
    return 0.3 * red + 0.6 * green + 0.1 * blue > 140;
  };
  const says = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  return ${shown}.filter((one) => one.clientWidth !== 1 && says(one) && isPale(getComputedStyle(one).color)).map(${named});
})()`;

it.each(["/docs", `/docs/${tool}`, "/console/docs", `/console/docs/${tool}`])(
  "%s is light, has nothing to press, and none of it is cut off",
  async (path) => {
    const { owner } = await makeConsumer(database);
    const page = await printed(await browser.openAs(path.startsWith("/console") ? owner : undefined), path);
    expect(await page.evaluate<string[]>(pale)).toEqual([]);
    const pressed = page
      .locator("button, select, nav:not([aria-label=Breadcrumb]), [role=button]")
      .filter({ visible: true });
    expect(await pressed.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML.slice(0, 200)))).toEqual([]);
    expect(await page.evaluate<string[]>(cutOff)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PAPER.width);
    // The text has the whole width: no column is left where the contents stood.
    const main = (await page.locator("main").boundingBox())!;
    const section = (await page.locator("main section").first().boundingBox())!;
    expect([main.x < 40, section.x - main.x < 40, section.width > PAPER.width - 100]).toEqual([true, true, true]);
  },
);

it.each(["/console", "/console/keys", "/console/usage"])("what %s says can be read on paper", async (path) => {
  const { owner } = await makeConsumer(database);
  const page = await printed(await browser.openAs(owner), path);
  expect(await page.evaluate<string[]>(pale)).toEqual([]);
});

it("recovery codes, and a dialog, end on paper with what they say: no empty foot is left of their buttons", async () => {
  const account = await makeAccountWithPassword(database);
  const page = await browser.openAs(account);
  await visit(page, "/account/two-factor");
  await page.getByRole("textbox", { name: "Code" }).fill(codeAt(await setUpApp(page)));
  await page.getByRole("button", { name: "Turn it on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await codes.first().waitFor();
  await page.emulateMedia({ media: "print" });
  const panel = page.locator("main section").filter({ has: codes });
  expect(await panel.evaluate(lastSeen)).toContain(await codes.last().innerText());

  const { owner } = await makeConsumer(database);
  const keys = await browser.openAs(owner);
  await printed(keys, "/console/keys?dialog=issue");
  expect(await keys.getByRole("dialog").locator("form").evaluate(lastSeen)).toContain("Last day");
  expect(await keys.getByRole("link", { name: "Close", exact: true }).count()).toBe(0);
});
