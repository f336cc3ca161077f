import type { Locator, Page } from "playwright-core";

/** What was just done: a message at the foot of the page, or above its content where no scripts run. */
export const told = (page: Page, words: string): Locator =>
  page.getByRole("listitem").or(page.getByRole("status")).filter({ hasText: words }).first();
