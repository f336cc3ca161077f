// Real Chromium: Debian's, or whichever CHROMIUM names. The one without windows takes half the time.
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { TestDatabase } from "./database";
import { PASSWORD } from "./people";
import { type Person, signIn } from "./roles";

const WINDOWLESS = "/usr/bin/chromium-headless-shell";
const executablePath = process.env.CHROMIUM ?? (existsSync(WINDOWLESS) ? WINDOWLESS : "/usr/bin/chromium");
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Letters are placed by their exact widths, as on today's screens, and not moved to whole pixels.
  "--font-render-hinting=none",
];

/**
 * One browser for the tests of a file.
 * @param server whose pages are opened
 * @param database that of the accounts which log in
 */
export function testBrowser(server: { url: string }, database?: TestDatabase) {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterAll(() => browser?.close());
  let problems: string[] = [];
  const contexts: BrowserContext[] = [];
  beforeEach(() => {
    problems = [];
  });
  afterEach(async ({ task }) => {
    // The error of a wait in vain seldom says why; what the pages showed meanwhile may.
    if (task.result?.state === "fail") for (const context of contexts) await tellPages(context);
    // Pages that load their data again every so often would go on in the next test.
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(problems).toEqual([]);
  });
  const opened = {
    /** A page of a new profile, until the test is over. Whatever it asks of another origin, or writes as an error, fails the test. */
    async open(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ baseURL: server.url, ...options });
      contexts.push(context);
      // A limit, never a measure: the first page of a process is a cold one, on whatever machine.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on("console", (message) => {
        // A refusal's status is reported as an error too; those are asserted where they belong.
        const isStatus = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isStatus) problems.push(`console: ${message.text()}`);
      });
      page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== server.url)
          problems.push(`asked of another origin: ${request.url()}`);
      });
      return page;
    },
    /** The same, logged in. @param who an account, or `name=value` of its cookie; nobody where there is none */
    async openAs(who: Person | string | undefined, options: BrowserContextOptions = {}): Promise<Page> {
      const cookie = typeof who === "object" ? await signIn(database!, who) : who;
      const page = await opened.open({ reducedMotion: "reduce", ...options });
      if (cookie) await addCookie(page, cookie, server.url);
      return page;
    },
  };
  return opened;
}

/** @param cookie `name=value`, as `signIn` gives it */
export async function addCookie(page: Page, cookie: string, url: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=", 2);
  await page.context().addCookies([{ name, value, url }]);
}

/** To the test's output: where each page is, and what it shows. */
async function tellPages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const words = await page.innerText("body", { timeout: 5_000 }).catch(String);
    process.stderr.write(`${page.url()}\n${words.slice(0, 2_000)}\n`);
  }
}

/**
 * Until the scripts of the open page run, that is until React listens: an idle network only says that they have come.
 * Asked by a function: a string would be evaluated anew at every look, which the page's own policy forbids.
 */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document).some((name) => name.startsWith("__reactContainer")));
}

/** Opens `path`, and waits until the page is whole and its scripts run. @returns the document's answer */
export async function visit(page: Page, path: string): Promise<Response | null> {
  const answer = await page.goto(path, { waitUntil: "networkidle" });
  if (answer?.headers()["content-type"]?.startsWith("text/html")) await untilAlive(page);
  return answer;
}

/**
 * Keeps back what the page asks for by a method.
 * @param where which addresses, as `page.route` takes them; all unless given
 * @returns `arrived`: once something has come; `release` lets all go
 */
export async function hold(page: Page, method: "GET" | "POST", where: Parameters<Page["route"]>[0] = "**/*") {
  let release = () => {};
  let arrive = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(where, async (route) => {
    if (route.request().method() === method) {
      arrive();
      await released;
    }
    await route.continue();
  });
  return { arrived, release };
}

/** Begins two-factor authentication, on its page. @returns the key that an app would scan */
export async function setUpApp(page: Page): Promise<string> {
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set it up" }).click();
  return page
    .getByText(/^(?:[A-Z2-7]{4} ?){8}$/)
    .first()
    .innerText();
}

/** The link to `path` in a mail. The page for "sent" mail has it within moments: a job delivers it. */
export async function linkInMail(page: Page, email: string, path: string): Promise<string> {
  for (let i = 0; i < 300; i++) {
    await page.goto("/dev/mail");
    const link = page.locator(`a[href*="${path}"]`).first();
    if ((await page.content()).includes(email) && (await link.count()) > 0) return (await link.getAttribute("href"))!;
    await page.waitForTimeout(200);
  }
  throw new Error(`No mail to ${email} came.`);
}
