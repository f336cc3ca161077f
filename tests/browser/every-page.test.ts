// Every page that a link leads to, as everybody sees it: accessible in both themes, and whole on a phone. A page that
// nothing leads to fails the test.
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as tokens from "../../server/services/accounts/tokens";
import { expectAccessible } from "../support/accessible";
import { testBrowser, visit } from "../support/browser";
import { DEMO_TEMPLATE, testDatabase } from "../support/database";
import { makeAccount } from "../support/factories";
import { enliven } from "../support/lively";
import { testServer } from "../support/server";

const database = testDatabase(DEMO_TEMPLATE);
const server = testServer(database, { NODE_ENV: "local" });
const browser = testBrowser(server, database);
let cookies: Partial<Record<keyof typeof people, string>>;
beforeAll(async () => {
  cookies = { ...(await enliven(database, server.url)), "who waits for a code": await beginLogIn() };
  const [link] = await database.sql`
    select (select id from consumers where name = 'Trail Guide') as platform, (select id from merchants where name = 'Westward Tents') as merchant`;
  people.owner.push(`/console/switch?consumerId=${link!.platform}`);
  people.merchant.push(`/merchant/switch?merchantId=${link!.merchant}`);
});

const files = readdirSync(new URL("../../app/routes/", import.meta.url));
/** Those that draw something of their own; the frames around others are seen with them. */
const pages = files
  .filter((name) =>
    readFileSync(new URL(`../../app/routes/${name}`, import.meta.url), "utf8").includes("export default"),
  )
  .map((name) => `routes/${name.replace(/\.tsx$/, "")}`);
const literal = new Set(
  files.flatMap((name) =>
    name
      .replaceAll("[.]", "%")
      .split(".")
      .map((part) => part.replace("%", ".")),
  ),
);
/** Links of one kind lead to one page: what stands for a parameter does not count, nor how a list is sorted or filtered. */
function kindOf(url: URL): string {
  const path = url.pathname.split("/").map((part) => (part === "" || literal.has(part) ? part : "*"));
  return `${path.join("/")}?${["dialog", "action"].map((name) => url.searchParams.get(name)?.split(":")[0] ?? "").join()}`;
}

/** Where links cannot lead: what comes by mail, or is shown after something was done. */
const byMail = [
  "/verify?token=x",
  "/reset?token=x",
  "/confirm-email?token=x",
  "/invitation?token=x",
  "/unsubscribe?token=x",
];
/** Where what one sees depends on who one is; all else, as one's password and sessions, one of them sees for all. */
const areas = /^\/(account(?!\/password|\/sessions)|admin|apply|console|merchant)(\/|$)/;
const known = new Set<string>();
const seen = new Set<string>();

/** Whoever looks, and where they begin. */
const people = {
  nobody: ["/", "/resend", "/docs/nothing", "/dev/mail", "/nowhere", ...byMail],
  owner: ["/console", "/account", "/console/application", "/console/nowhere"],
  operator: ["/admin", "/admin/nowhere"],
  // The catalogue first: from there the way leads to a store that has one.
  merchant: ["/merchant/catalogue", "/merchant", "/merchant/nowhere"],
  newcomer: ["/apply"],
  "who waits for a code": ["/login/code"],
};

/** The cookie of somebody whose password was right. */
async function beginLogIn(): Promise<string> {
  const { id, email } = await makeAccount(database);
  const system = database.as({ kind: "system" });
  return `aisle-log-in=${await tokens.mint(system, database.db, { accountId: id, purpose: "log_in", email })}`;
}

async function lookAround(role: keyof typeof people): Promise<void> {
  const page = await browser.openAs(cookies[role]);
  const waiting = people[role].map((path) => new URL(path, server.url));
  for (let url = waiting.shift(); url; url = waiting.shift()) {
    const isTheirs = role === "nobody" || areas.test(url.pathname);
    const kind = isTheirs ? `${role} ${kindOf(url)}` : kindOf(url);
    if (known.has(kind)) continue;
    known.add(kind);
    const answer = await visit(page, url.href).catch((error) => {
      if (String(error).includes("Download is starting")) return "a file" as const;
      throw error;
    });
    if (answer === "a file") continue;
    // What a link leads to is there; where people begin may be a page that says that nothing is.
    const isGiven = people[role].includes(url.pathname + url.search);
    expect(answer?.status(), `${url.pathname}${url.search} for ${role}`).toSatisfy((status) =>
      isGiven ? status < 500 : status === 200,
    );
    if (!answer?.headers()["content-type"]?.startsWith("text/html")) continue;
    for (const id of await page.evaluate<string[]>("Object.keys(window.__remixRouteModules)")) seen.add(id);
    // The least that a window of 1,280 is at 400 % zoom (WCAG 1.4.10).
    for (const width of [1440, 1024, 390, 320]) {
      const place = `${url.pathname}${url.search} for ${role} at ${width}`;
      await page.setViewportSize({ width, height: 900 });
      // What stands in the page changes with the phone alone.
      if (width === 1440 || width === 390) await expectAccessible(page, place);
      expect(await page.evaluate("document.documentElement.scrollWidth"), place).toBeLessThanOrEqual(width);
    }
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => (all as HTMLAnchorElement[]).map(({ href }) => href));
    waiting.push(...links.map((href) => new URL(href)).filter(({ origin }) => origin === server.url));
  }
}

describe("every page", () => {
  it("is led to, accessible, and whole on a phone, for everybody who may see it", async () => {
    await Promise.all((Object.keys(people) as (keyof typeof people)[]).map(lookAround));
    expect(pages.filter((id) => !seen.has(id))).toEqual([]);
  }, 900_000);
});
