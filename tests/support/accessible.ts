// What axe finds on a page, in both themes.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type * as Axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Colours fade into each other for a moment; between two themes nothing is readable. */
const isSettled = `!document.getAnimations().some((one) =>
  one.playState === "running" && Number.isFinite(one.effect.getComputedTiming().endTime))`;

/**
 * Texts that axe found to be read well, by all that decides it. The same text on the same ground is on page after page,
 * where axe would take two thirds of its time to find it again.
 */
const read = new Set<string>();

/** axe finds nothing on the page, in either theme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // Not in the midst of a change: a button that waits shows a spinner in place of its words.
  await page.locator("[aria-disabled=true]").first().waitFor({ state: "detached" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect.poll(() => page.evaluate(isSettled)).toBe(true);
    await bringAxe(page);
    const found = await page.evaluate(look, { read: [...read], isFirst: colorScheme === "light" });
    expect(found.violations, `${name}, ${colorScheme}`).toEqual([]);
    for (const text of found.passed) read.add(text);
  }
}

/** Once a document. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in window")) return;
  // Through the debugger, which the page's own policy does not bind.
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.evaluate(
    `${await source}; axe.configure({ rules: [{ id: "color-contrast", selector: "[data-unread]" }] })`,
  );
  await session.detach();
}

/**
 * Runs in the page.
 * @param read the texts that need no look
 * @param isFirst false looks only at what the themes differ in
 */
async function look({ read, isFirst }: { read: string[]; isFirst: boolean }) {
  const { axe } = window as unknown as { axe: typeof Axe };
  const COLORS = ["color-contrast", "link-in-text-block"];
  const grounds = new Map<Element | null, string>([[null, ""]]);
  const groundOf = (element: Element | null): string => {
    const found = grounds.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = getComputedStyle(element!);
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position].join();
    const around = groundOf(element!.parentElement);
    const ground = own === "rgba(0, 0, 0, 0),none,1,none,normal,static" ? around : `${around}/${own}`;
    grounds.set(element, ground);
    return ground;
  };
  const isText = ({ nodeType, nodeValue }: Node) => nodeType === Node.TEXT_NODE && nodeValue?.trim();
  const texts = new Map<Element, string>();
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = element.matches("input, select, textarea") || [...element.childNodes].some(isText);
    if (!hasText || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    texts.set(element, `${color},${fontSize},${fontWeight},${textShadow} on ${groundOf(element)}`);
  }
  const known = new Set(read);
  for (const [element, text] of texts) element.toggleAttribute("data-unread", !known.has(text));

  // Nothing plays, so no rule asks for the style sheets or media that it would load before.
  const options: Axe.RunOptions = { resultTypes: ["violations"], preload: false };
  const colors = await axe.run(document, {
    ...options,
    runOnly: COLORS,
    resultTypes: ["violations", "passes"],
    elementRef: true,
  });
  for (const element of texts.keys()) element.removeAttribute("data-unread");
  const others = Object.fromEntries(COLORS.map((rule) => [rule, { enabled: false }]));
  const rest = isFirst && (await axe.run(document, { ...options, rules: others }));
  const passes = colors.passes.find(({ id }) => id === "color-contrast")?.nodes ?? [];
  return {
    passed: passes.map(({ element }) => texts.get(element as unknown as Element) ?? ""),
    violations: [...colors.violations, ...(rest ? rest.violations : [])].map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    ),
  };
}
