// What axe finds on a page, in both themes.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type * as Axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Pages whose documents have axe. */
const brought = new WeakSet<Page>();

/**
 * Texts that axe found to be read well, by all that decides it. The same text on the same ground is on page after page,
 * where axe would take two thirds of its time to find it again. By their hashes: each look takes all of them along.
 */
const read = new Set<number>();

/**
 * What a phone shows, or hides, of a page that was well on a wide window, without harm: the button for the menu is on page
 * after page, and all else is as it was found.
 */
const turns = new Set<number>();

/** axe finds nothing on the page, in either theme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // Not in the midst of a change: a button that waits shows a spinner in place of its words.
  await page.locator("[aria-disabled=true]:has([aria-label=Working])").first().waitFor({ state: "detached" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await bringAxe(page);
    const isFirst = colorScheme === "light";
    const found = await settled(() => page.evaluate(look, { read: [...read], turns: [...turns], isFirst }));
    expect(found.saidInButtons, `${name}: said in a button`).toBe(0);
    const problems = found.violations.join("\n");
    expect(found.violations, `${name}, ${colorScheme}: ${problems}`).toEqual([]);
    for (const text of found.passed) read.add(text);
    for (const turn of found.turned) turns.add(turn);
  }
}

/** What `look` gives where nothing fades any longer. */
async function settled<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
  let found: Found | undefined;
  await expect.poll(async () => (found = await look())).toBeDefined();
  return found!;
}

/** Once a page: half a megabyte, which takes a third of a second to send, is there in each of its documents then. */
async function bringAxe(page: Page): Promise<void> {
  if (brought.has(page)) return;
  brought.add(page);
  // Through the debugger, which the page's own policy does not bind; while the session lasts.
  const session = await page.context().newCDPSession(page);
  // Without this no later document has it.
  await session.send("Page.enable");
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    source: `${await source}; axe.configure({ rules: [
      { id: "color-contrast", selector: "[data-unread]" }, { id: "link-in-text-block", selector: "a[href][data-unread]" }] })`,
    runImmediately: true,
  });
}

/**
 * Runs in the page.
 * @param read the texts that need no look
 * @param turns what may be shown or hidden since the last look at this document
 * @param isFirst false looks only at what the themes differ in
 * @returns undefined while colours fade
 */
async function look({ read, turns, isFirst }: { read: number[]; turns: number[]; isFirst: boolean }) {
  const own = window as unknown as { axe: typeof Axe; lookedAt?: { html: string; shown: Set<Element> } };
  const { axe } = own;
  const COLORS = ["color-contrast", "link-in-text-block"];
  // Colours fade into each other for a moment; between two themes nothing is readable.
  const isFading = ({ playState, effect }: Animation) =>
    playState === "running" && Number.isFinite(effect?.getComputedTiming().endTime);
  if (document.getAnimations().some(isFading)) return undefined;
  // What a button holds is its name alone: of what changes there nothing is said.
  const inButtons = ":is(button, [role=button], summary) :is([role=status], [role=alert], [aria-live])";
  const saidInButtons = document.querySelectorAll(inButtons).length;
  /** 53 bits of a text (cyrb53). */
  const hash = (text: string) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let i = 0; i < text.length; i++) {
      high = Math.imul(high ^ text.charCodeAt(i), 2654435761);
      low = Math.imul(low ^ text.charCodeAt(i), 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 2 ** 32 * (low & 0x1fffff) + (high >>> 0);
  };
  // Shades at the edges of what scrolls, beside which its texts stand: axe cannot tell what is read before a gradient.
  for (const element of document.querySelectorAll<HTMLElement>(".scroll-hint")) element.style.backgroundImage = "none";
  const html = document.body.outerHTML;
  const CLIPPED = "inset(50%)";
  const grounds = new Map<Element | null, string>([[null, ""]]);
  const groundOf = (element: Element | null): string => {
    const found = grounds.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position, clipPath } = getComputedStyle(
      element!,
    );
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position, clipPath].join();
    const around = groundOf(element!.parentElement);
    const ground = own === "rgba(0, 0, 0, 0),none,1,none,normal,static,none" ? around : `${around}/${own}`;
    grounds.set(element, ground);
    return ground;
  };
  /** To eyes: no link that stands above the page until it has the focus, nothing that is for screen readers alone. */
  const isShown = (element: Element) => {
    const { bottom, right } = element.getBoundingClientRect();
    const isHere = bottom + scrollY > 0 && right + scrollX > 0 && !groundOf(element).includes(CLIPPED);
    return isHere && element.checkVisibility({ visibilityProperty: true });
  };
  const hasText = ({ childNodes }: Element) =>
    [...childNodes].some(({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim());
  const lengthOf = (elements: Iterable<Element>) =>
    [...elements].reduce((length, { textContent }) => length + (textContent?.trim().length ?? 0), 0);
  /** What tells a link from the text of its block, where there is more of that than of links: else axe asks for nothing. */
  const linkOf = (link: Element | null) => {
    if (!link) return "";
    let block = link.parentElement!;
    while (getComputedStyle(block).display === "inline") block = block.parentElement!;
    const styles = [link, block].map((element) => {
      const { color, font, textDecoration, borderBottom } = getComputedStyle(element);
      return [color, font, textDecoration, borderBottom].join();
    });
    const isInText = lengthOf([block]) > 2 * lengthOf(block.querySelectorAll("a, button"));
    const lines = block.querySelector("br") ? " of lines" : "";
    return `${getComputedStyle(link).display} ${styles.join(" in ")}, ${isInText ? `in text${lines}` : "among links"}`;
  };
  const texts = new Map<Element, number>();
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.matches("input, select, textarea") && !hasText(element)) continue;
    if (!isShown(element)) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
    const text = [color, fontSize, fontWeight, textShadow, linkOf(element.closest("a"))].join();
    texts.set(element, hash(`${text} on ${groundOf(element)}`));
  }
  const known = new Set(read);
  let areRead = true;
  for (const [element, text] of texts) {
    if (known.has(text)) continue;
    element.toggleAttribute("data-unread", true);
    element.closest("a")?.toggleAttribute("data-unread", true);
    areRead = false;
  }

  const shown = new Set([...document.body.querySelectorAll("*")].filter((one) => one.checkVisibility()));
  const before = own.lookedAt?.html === html ? own.lookedAt.shown : undefined;
  own.lookedAt = { html, shown };
  /** What only one of two looks shows, as it is written, but for its words and whatever names a single thing. */
  const without = (these: Set<Element>, others: Set<Element>, word: string) =>
    [...these]
      .filter((one) => !others.has(one) && !(these.has(one.parentElement!) && !others.has(one.parentElement!)))
      .map((one) => {
        const copy = one.cloneNode(true) as Element;
        for (const part of [copy, ...copy.querySelectorAll("*")])
          for (const name of ["id", "for", "href", "name", "value", "datetime"]) part.removeAttribute(name);
        return hash(`${word} ${copy.outerHTML.replaceAll(/>[^<>]*[^<>\s][^<>]*</g, ">x<").replaceAll(/:r\w+:/g, "")}`);
      });
  const turned = before ? [...without(shown, before, "came"), ...without(before, shown, "went")] : [];
  const knownTurns = new Set(turns);
  const isAsBefore = before !== undefined && turned.every((turn) => knownTurns.has(turn));
  if (areRead && (!isFirst || isAsBefore)) return { saidInButtons, passed: [], violations: [], turned: [] };

  const options: Axe.RunOptions = {
    resultTypes: ["violations", "passes"],
    // What is wrong is shown as it is written; for what is well no way to it is sought.
    selectors: false,
    elementRef: true,
    // Nothing plays, so no rule asks for the style sheets or media that it would load before.
    preload: false,
  };
  if (!isFirst || isAsBefore) options.runOnly = COLORS;
  else if (areRead) options.rules = Object.fromEntries(COLORS.map((rule) => [rule, { enabled: false }]));
  const { passes, violations } = await axe.run(document, options);
  for (const element of document.querySelectorAll("[data-unread]")) element.removeAttribute("data-unread");
  const passed = passes.find(({ id }) => id === "color-contrast")?.nodes ?? [];
  return {
    saidInButtons,
    passed: passed.flatMap(({ element }) => texts.get(element as unknown as Element) ?? []),
    turned: isFirst && violations.length === 0 ? turned : [],
    violations: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`),
  };
}
