import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { coalesce, onceEach } from "../../server/services/coalesce";

describe("coalescing", () => {
  it("gives each caller the outcome of its own item", async () => {
    const batches: number[][] = [];
    const double = coalesce(
      async (items: number[]) => {
        batches.push(items);
        return items.map((item) => item * 2);
      },
      { max: 10, lanes: 1 },
    );
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it("never puts a call into a batch that has begun, and never makes one larger than allowed", async () => {
    const batches: number[][] = [];
    const run = coalesce(
      async (items: number[]) => {
        batches.push(items);
        await sleep(5);
        return items;
      },
      { max: 2, lanes: 1 },
    );
    const first = run(1);
    await sleep(2);
    await Promise.all([first, run(2), run(3), run(4)]);
    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  const turn = () => new Promise(setImmediate);
  const stopTheClock = () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it("waits for the batch before it, and takes another lane only where that is held up", async () => {
    stopTheClock();
    let under = 0;
    let most = 0;
    let held: Promise<void> | undefined;
    const run = coalesce(
      async (items: number[]) => {
        most = Math.max(most, ++under);
        await held;
        under -= 1;
        return items;
      },
      { max: 1, lanes: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, (_, i) => run(i)));
    expect(most).toBe(1);
    let letGo = () => {};
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    const all = Promise.all(Array.from({ length: 20 }, (_, i) => run(i)));
    await turn();
    expect(under).toBe(1);
    for (const lanes of [2, 3, 3]) {
      await vi.advanceTimersByTimeAsync(10);
      expect(under).toBe(lanes);
    }
    letGo();
    await all;
    expect(most).toBe(3);
  });

  it("waits for as many as came before, but not for those who stay away", async () => {
    stopTheClock();
    const batches: number[][] = [];
    const run = coalesce(
      async (items: number[]) => {
        batches.push(items);
        return items;
      },
      { max: 10, lanes: 2 },
    );
    await Promise.all([1, 2, 3, 4, 5, 6].map(run));
    const some = [7, 8, 9].map(run);
    await turn();
    await Promise.all([...some, ...[10, 11, 12].map(run)]);
    const late = run(13);
    await turn();
    await vi.advanceTimersByTimeAsync(2);
    await late;
    await run(14);
    expect(batches).toEqual([[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13], [14]]);
  });

  it("tells every caller of a failed batch, and goes on with the next", async () => {
    let fail = true;
    const run = coalesce(
      async (items: number[]) => {
        if (fail) throw new Error("away");
        return items;
      },
      { max: 10, lanes: 1 },
    );
    const outcomes = await Promise.allSettled([run(1), run(2)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    fail = false;
    expect(await run(3)).toBe(3);
  });
});

describe("the same asked by several", () => {
  it("is run once, and each has the outcome of its own question", async () => {
    const runs: string[][] = [];
    const run = onceEach(
      (item: { asks: string }) => item.asks,
      async (items) => {
        runs.push(items.map(({ asks }) => asks));
        return items.map(({ asks }) => (asks === "nothing" ? undefined : asks.toUpperCase()));
      },
    );
    const asked = ["nothing", "b", "a", "b", "nothing", "a", "c"];
    expect(await run(asked.map((asks) => ({ asks })))).toEqual([undefined, "B", "A", "B", undefined, "A", "C"]);
    expect(runs).toEqual([["nothing", "b", "a", "c"]]);
  });
});
