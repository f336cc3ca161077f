// Mails as a phone's mail program shows them: whatever people typed, nothing spills over the edge.
import { expect, it } from "vitest";
import { render, type Template, type TemplateData } from "../../server/services/mail-templates";
import { testBrowser } from "../support/browser";
import { mails } from "../support/mails";

const browser = testBrowser({ url: "http://mail.invalid" });
const WIDTH = 390;
const WORD = "Donaudampfschifffahrtsgesellschaft".repeat(9);
const BASE_URL = `https://${"a-host-with-a-very-long-name".repeat(2)}.example`;

/** The same mail where everything that people typed, and every token, is one long word. */
function lengthened<T>(given: T, key = ""): T {
  if (typeof given === "string") return (/^(at|role|.*[iI]d)$/.test(key) ? given : WORD) as T;
  if (Array.isArray(given)) return Array(21).fill(lengthened(given[0])) as T;
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, lengthened(value, name)])) as T;
}

it.each(Object.keys(mails) as Template[])(
  "%s is as wide as a phone, however long the words in it",
  async (template) => {
    const page = await browser.open({ viewport: { width: WIDTH, height: 844 } });
    const data = {
      ...mails[template],
      ...("consumerId" in mails[template] && { again: WORD }),
    } as TemplateData[Template];
    await page.setContent(render(template, lengthened(data) as never, BASE_URL).html);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(WIDTH);
    // Nor does anything end beyond what scrolls.
    const beyond = await page
      .locator("body *")
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().right > window.innerWidth).map(({ outerHTML }) => outerHTML),
      );
    expect(beyond).toEqual([]);
  },
);
