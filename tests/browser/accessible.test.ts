// Pages that links do not lead to, in both themes, wide and on a phone: axe finds nothing, nothing spills, nothing comes
// from elsewhere.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { addCookie, testBrowser, visit } from "../support/browser";
import { issueExpiringKey } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makePerson } from "../support/roles";
import { testServer } from "../support/server";
import { visits } from "./pages";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);

describe("axe finds nothing, and nothing spills over a phone's edge", () => {
  it("on a page for each state and role", async () => {
    const page = await browser.open({ reducedMotion: "reduce" });
    for (const { path, as, state = "sandbox", keyExpires, status = 200 } of visits) {
      const consumer = await makeConsumer(database, {
        state,
        ...(state === "revoked" && { revokedFrom: "sandbox", decisionReason: "It read prices to copy them." }),
      });
      if (keyExpires) await issueExpiringKey(database, consumer.id);
      await page.context().clearCookies();
      const { cookie } = await makePerson(database, as, consumer.id);
      if (cookie) await addCookie(page, cookie, server.url);
      expect((await visit(page, path))?.status(), path).toBe(status);
      for (const width of [1440, 390]) {
        const place = `${path} as ${as}, ${state}, at ${width}`;
        await page.setViewportSize({ width, height: 900 });
        await expectAccessible(page, place);
        expect(await page.evaluate("document.documentElement.scrollWidth"), place).toBeLessThanOrEqual(width);
      }
    }
  });
});

/** What is wrong with a page that has this as well. @param html the page's own policy lets no style come with it: `data-style` is set */
async function foundWith(page: Page, html: string): Promise<string> {
  const main = page.locator("main");
  await main.evaluate((main, html) => {
    main.insertAdjacentHTML("beforeend", html);
    for (const one of main.querySelectorAll<HTMLElement>("[data-style]")) one.style.cssText = one.dataset.style!;
  }, html);
  const problem = await expectAccessible(page, "/login").then(
    () => "",
    (error: Error) => error.message,
  );
  await main.evaluate((main) => main.lastElementChild!.remove());
  return problem;
}

describe("the look for what cannot be read", () => {
  it("finds it wherever the same text stands on another ground, though it was found to be read well before", async () => {
    const page = await browser.open();
    await visit(page, "/login");
    const found = (style: string) =>
      foundWith(page, `<div data-style="${style}"><p data-style="color: #111">Some words</p></div>`);
    expect(await found("background: #fff")).toBe("");
    expect(await found("background: #fff")).toBe("");
    expect(await found("background: #222")).toContain("color-contrast");
    expect(await found("background: #fff; opacity: 0.3")).toContain("color-contrast");
  });

  it("finds a link that only its colour tells from the text around it, though it was found to be read well by itself", async () => {
    const page = await browser.open();
    await visit(page, "/login");
    const link = '<a href="/" data-style="color: #111; text-decoration: none">Some words</a>';
    const box = (words: string) => `<div data-style="color: #333; background: #fff">${words}</div>`;
    expect(await foundWith(page, box(`<p>Words around it</p><div>${link}</div>`))).toBe("");
    expect(await foundWith(page, box(`Words around <span>${link}</span> it`))).toContain("link-in-text-block");
  });

  it("finds what a phone alone shows, though the page was well, and so was another that shows the like", async () => {
    const page = await browser.open();
    const found = async (html: string) => {
      await visit(page, "/login");
      await page.locator("main").evaluate((main, html) => main.insertAdjacentHTML("beforeend", html), html);
      await page.setViewportSize({ width: 1440, height: 900 });
      await expectAccessible(page, "/login");
      await page.setViewportSize({ width: 390, height: 900 });
      return expectAccessible(page, "/login").then(String, String);
    };
    expect(await found('<button class="md:hidden">Some words</button>')).toBe("undefined");
    expect(await found('<button class="md:hidden">Other words</button>')).toBe("undefined");
    expect(await found('<button class="md:hidden"></button>')).toContain("button-name");
    expect(await found('<h5 class="md:hidden">Some words</h5>')).toContain("heading-order");
  });

  it("finds it in what scrolls, before the shades at its edges", async () => {
    const page = await browser.open();
    await visit(page, "/login");
    const words =
      '<div class="scroll-hint" data-style="background-color: #fff"><p data-style="color: #eee">Some words</p></div>';
    expect(await foundWith(page, words)).toContain("color-contrast");
  });
});
