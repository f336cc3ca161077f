// 10: how soon the server answers with a page, and how much JavaScript a first view of it loads, as it is sent.
import { type Browser, chromium } from "playwright-core";
import { seed } from "../../server/seed";
import * as demo from "../../server/services/demo";
import type { Bench, Line, Row } from "../support/bench";
import { answerTimes, logIn } from "../support/pages";
import { median } from "../support/stats";

export const pagesRow: Row = { number: 10, run };

const pages = { Overview: "/console", Keys: "/console/keys", Coverage: "/console/coverage" };
const VIEWS = 60;
const SLOWEST_MS = 30;
const MOST_KB = 180;

async function run(bench: Bench): Promise<Line[]> {
  const database = await bench.place.database(`pages_${Date.now()}`);
  await seed(database.as({ kind: "system" }));
  const aisle = await bench.place.serve(database);
  const { sign_ins } = await demo.describe(database.as({ kind: "system" }), aisle.url);
  const owner = sign_ins.find(({ role }) => role === "owner")!;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
  try {
    const cookie = await logIn(aisle, owner);
    const lines: Line[] = [];
    for (const [name, path] of Object.entries(pages)) {
      const times: number[] = [];
      for (let round = 0; round <= bench.rounds; round++) {
        const { p50 } = await bench.watched(aisle, async () => ({
          p50: median(await answerTimes(`${aisle.url}${path}`, cookie, VIEWS)),
        }));
        if (round > 0) times.push(p50);
      }
      const bytes = await scriptBytes(browser, aisle.url, path, cookie);
      lines.push(
        {
          row: "10",
          work: `${name}: server time, p50`,
          measured: `${median(times).toFixed(1)} ms`,
          values: times,
          unit: " ms",
          bar: { most: SLOWEST_MS },
          aim: 15,
        },
        {
          row: "10",
          work: `${name}: JavaScript on first view, as sent`,
          measured: `${Math.round(bytes / 1000)} kB`,
          values: [bytes / 1000],
          unit: " kB",
          bar: { most: MOST_KB },
          aim: 120,
        },
      );
    }
    return lines;
  } finally {
    await browser.close();
    await aisle.stop();
  }
}

/** Bytes of scripts over the wire, by a browser that was never here: as they were encoded for it. */
async function scriptBytes(browser: Browser, url: string, path: string, cookie: string): Promise<number> {
  const context = await browser.newContext();
  const jar = cookie.split("; ").map((pair) => pair.split("=", 2) as [string, string]);
  await context.addCookies(jar.map(([name, value]) => ({ name, value, url })));
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type === "Script" || response.mimeType.includes("javascript")) scripts.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
  await context.close();
  if (scripts.size === 0) throw new Error(`${path} loaded no script.`);
  return bytes;
}
