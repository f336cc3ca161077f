// Pages that links do not lead to, in both themes, wide and on a phone: axe finds nothing, nothing spills, nothing comes
// from elsewhere.
import { describe, expect, it } from "vitest";
import { expectAccessible } from "../support/accessible";
import { testBrowser, visit } from "../support/browser";
import { issueExpiringKey } from "../support/clients";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeConsumer } from "../support/factories";
import { makePerson } from "../support/roles";
import { testServer } from "../support/server";
import { visits } from "./pages";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser();

describe("axe finds nothing, and nothing spills over a phone's edge", () => {
  it.each(visits)("$path as $as, $state", async ({ path, as, state = "sandbox", keyExpires, status = 200 }) => {
    const consumer = await makeConsumer(database, {
      state,
      ...(state === "revoked" && { revokedFrom: "sandbox", decisionReason: "It read prices to copy them." }),
    });
    if (keyExpires) await issueExpiringKey(database, consumer.id);
    const { cookie } = await makePerson(database, as, consumer.id);
    const page = await browser.openAs(cookie, { baseURL: server.url });
    expect((await visit(page, path))?.status()).toBe(status);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page, `${path} at ${width}`);
      expect(await page.evaluate("document.documentElement.scrollWidth"), `${path} at ${width}`).toBeLessThanOrEqual(
        width,
      );
    }
  });
});

describe("the look for what cannot be read", () => {
  it("finds it wherever the same text stands on another ground, though it was found to be read well before", async () => {
    const page = await browser.open({ baseURL: server.url });
    await visit(page, "/login");
    /** What is found of a dark text in a new box of this style. */
    async function found(style: Record<string, string>): Promise<string> {
      const box = await page.evaluateHandle((style) => {
        const made = document.createElement("div");
        const text = document.createElement("p");
        text.textContent = "Some words";
        text.style.color = "#111";
        Object.assign(made.style, style);
        made.append(text);
        document.querySelector("main")!.append(made);
        return made;
      }, style);
      const problem = await expectAccessible(page, "/login").then(
        () => "",
        (error: Error) => error.message,
      );
      await box.evaluate((made) => made.remove());
      return problem;
    }
    expect(await found({ background: "#fff" })).toBe("");
    expect(await found({ background: "#fff" })).toBe("");
    expect(await found({ background: "#222" })).toContain("color-contrast");
    expect(await found({ background: "#fff", opacity: "0.3" })).toContain("color-contrast");
  });
});
