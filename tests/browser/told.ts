import type { Locator, Page } from "playwright-core";

/** Those at an edge of the window, where scripts run: each goes by itself after a while. */
export const messages = (page: Page, words: string | RegExp): Locator =>
  page.getByRole("listitem").filter({ hasText: words });

/** What was just done: a message at an edge of the window, or above its content where no scripts run. */
export const told = (page: Page, words: string): Locator =>
  page.getByRole("listitem").or(page.getByRole("status")).filter({ hasText: words }).first();
