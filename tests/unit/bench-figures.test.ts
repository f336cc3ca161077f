// What decides the figures that `npm run bench` prints: percentiles, the table's verdicts, and load at a fixed rate.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Line } from "../../bench/support/bench";
import { pace } from "../../bench/support/pace";
import { median, percentile, randomFrom } from "../../bench/support/stats";
import { holds, Table } from "../../bench/support/table";

describe("a percentile", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);

  it("is a value that was measured, whatever order they came in, and leaves that order", () => {
    const given = [...hundred];
    expect([0, 0.5, 0.95, 0.99, 1].map((share) => percentile(given, share))).toEqual([1, 51, 96, 100, 100]);
    expect(given).toEqual(hundred);
    expect(percentile([1000, 9, 80], 0.5)).toBe(80);
  });

  it("of one value is that value, and of none is none", () => {
    expect([0, 0.5, 1].map((share) => percentile([7], share))).toEqual([7, 7, 7]);
    expect([percentile([], 0.99), median([])]).toEqual([Number.NaN, Number.NaN]);
  });
});

it("a median is the value in the middle, and of an even number the mean of the two", () => {
  const given = [1000, 9, 80];
  expect([median(given), median([4, 100, 1, 5]), median([3])]).toEqual([80, 4.5, 3]);
  expect(given).toEqual([1000, 9, 80]);
});

it("what is drawn is the same for one seed, another for another, and spread from 0 to below 1", () => {
  const draw = (seed: number) => {
    const next = randomFrom(seed);
    return Array.from({ length: 10_000 }, next);
  };
  const drawn = draw(7);
  expect(drawn).toEqual(draw(7));
  expect(new Set(drawn).size).toBeGreaterThan(9_990);
  expect(drawn[0]).not.toBe(draw(8)[0]);
  const tenths = Array.from({ length: 10 }, (_, i) => drawn.filter((one) => Math.floor(one * 10) === i).length);
  expect(tenths.reduce((a, b) => a + b)).toBe(10_000);
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

describe("the table", () => {
  const line = (given: Partial<Line>): Line => ({
    ...{ row: "1", work: "work", measured: "5 a second", values: [1, 3, 2], unit: "×", bar: { least: 2 } },
    ...given,
  });

  it("holds a median that is at its bar, and none beyond it", () => {
    const bars: Line["bar"][] = [{ least: 2 }, { least: 2.01 }, { most: 2 }, { most: 1.99 }];
    expect(bars.map((bar) => holds(line({ bar })))).toEqual([true, false, true, false]);
    expect(holds(line({ values: [], bar: { most: 9 } }))).toBe(false);
  });

  it("shows least, median and greatest, one figure where there is one, and the bar with its aim", () => {
    const table = new Table();
    table.add(1, [line({})], [0.1]);
    table.add(2, [line({ row: "2", values: [250, 100, 99.4], unit: " ms", bar: { most: 90 }, aim: 50 })], []);
    table.add(3, [line({ row: "3", values: [4, 4, 4] })], []);
    const rows = table
      .text()
      .split("\n")
      .filter((text) => /^\| \d/.test(text));
    expect(rows).toEqual([
      "| 1 | work | 5 a second | 1.00 – 2.00 – 3.00× | ≥ 2× | yes |",
      "| 2 | work | 5 a second | 99.40 – 100 – 250 ms | ≤ 90 ms (50) | NO |",
      "| 3 | work | 5 a second | 4.00× | ≥ 2× | yes |",
    ]);
  });

  it("names the rows that others spoilt, how often and how much, and else says that none was", () => {
    const table = new Table();
    table.add(1, [line({})], [0.1, 0.02, 0]);
    expect(table.text()).toContain("Others took less than 10 % of the machine in all 3 measurements.");
    table.add(2, [line({ row: "2" })], [0.101, 0, 0.42]);
    expect(table.text()).toContain("do not trust these.\n- row 2: 2 of 3 measurements, up to 42 % of the machine\n");
    expect(table.text()).not.toContain("Others took less");
  });
});

describe("load at a fixed rate", () => {
  afterEach(() => void vi.useRealTimers());

  const sent = (path: string) => ({ path, headers: { "content-type": "text/plain" }, body: "é" });

  /** A server that keeps what it was asked until the test answers. */
  async function keeping() {
    const asked: { url: string; body: string; res: ServerResponse }[] = [];
    const server = createServer(async (req, res) => {
      let body = "";
      for await (const chunk of req) body += chunk;
      asked.push({ url: req.url!, body, res });
    }).listen(0, "127.0.0.1");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise((resolve) => server.once("listening", resolve));
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  /** Of the loop's own turns, which no fake clock holds up. */
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise(setImmediate);
  };
  const stopTheClock = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });

  it("counts the wait of a request that found no connection free from when its time had come", async () => {
    const { asked, url } = await keeping();
    stopTheClock();
    const paced = pace({ urls: [url], requests: [sent("/a"), sent("/b")], rate: 100, connections: 1, total: 4 });
    vi.advanceTimersByTime(40);
    await until(() => asked.length === 1);
    vi.advanceTimersByTime(60);
    for (let i = 0; i < 4; i++) {
      await until(() => asked.length === i + 1);
      asked[i]!.res.writeHead(i === 3 ? 503 : 200).end("done");
    }
    const { latencies, statuses } = await paced;
    expect([...latencies]).toEqual([90, 80, 70, 60]);
    expect(statuses).toEqual({ 200: 3, 503: 1 });
    expect(asked.map(({ url, body }) => url + body)).toEqual(["/aé", "/bé", "/aé", "/bé"]);
  });

  it("goes on whatever is still unanswered while a connection is free, and shares itself among the servers", async () => {
    const [one, two] = [await keeping(), await keeping()];
    stopTheClock();
    const paced = pace({ urls: [one.url, two.url], requests: [sent("/")], rate: 100, connections: 2, total: 2 });
    vi.advanceTimersByTime(20);
    await until(() => one.asked.length + two.asked.length === 2);
    vi.advanceTimersByTime(5);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    two.asked[0]!.res.end();
    await until(() => two.asked[0]!.res.writableFinished);
    one.asked[0]!.res.end();
    expect([...(await paced).latencies].toSorted((a, b) => a - b)).toEqual([5, 15]);
  });

  it("without a rate sends as fast as the connections take, each request once, and ends with the last answer", async () => {
    const { asked, url } = await keeping();
    const paced = pace({ urls: [url], requests: [sent("/a"), sent("/b")], connections: 2, total: 5 });
    let answered = 0;
    let isDone = false;
    void paced.then(() => {
      isDone = true;
    });
    for (; answered < 5; answered++) {
      await until(() => asked.length > answered);
      expect([isDone, asked.length - answered <= 2]).toEqual([false, true]);
      // A body that comes after its head, in two pieces.
      const { res } = asked[answered]!;
      res.writeHead(200, { "content-length": 4 }).write("do");
      await new Promise(setImmediate);
      res.end("ne");
    }
    const { statuses, latencies } = await paced;
    expect([statuses, latencies.length, asked.length]).toEqual([{ 200: 5 }, 5, 5]);
    expect([...latencies].every((ms) => ms > 0)).toBe(true);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ["is reset", (socket) => socket.resetAndDestroy(), "ECONNRESET"],
    ["is closed", (socket) => socket.end(), "closed a connection"],
  ])("fails where a connection %s without an answer", async (_, end, why) => {
    const { asked, url } = await keeping();
    const paced = pace({ urls: [url], requests: [sent("/")], connections: 1, total: 1 });
    paced.catch(() => {});
    await until(() => asked.length === 1);
    end(asked[0]!.res.socket!);
    await expect(paced).rejects.toThrow(why);
  });
});
