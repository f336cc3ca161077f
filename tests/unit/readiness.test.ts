// What is asked of a database that hangs, by all who want to know whether it answers.
import { expect, it, vi } from "vitest";
import type { Sql } from "../../db/client";
import { isReady } from "../../server/readiness";

it("is little, however many want to know: all of a second ask together", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  let asked = 0;
  const hanging = (() => new Promise(() => void asked++)) as unknown as Sql;
  const all = async (look: typeof isReady) => {
    const looks = Promise.all(Array.from({ length: 500 }, () => look({ sql: hanging })));
    await vi.advanceTimersByTimeAsync(1_000);
    return new Set(await looks);
  };
  for (const expected of [1, 2]) {
    expect(await all(isReady)).toEqual(new Set([false]));
    expect(asked).toBe(expected);
  }
  vi.useRealTimers();
});

it("is asked anew by whoever comes once it has answered", async () => {
  let answer: (() => Promise<unknown>) | undefined;
  const sql = (() => answer?.()) as unknown as Sql;
  answer = () => Promise.reject(new Error("away"));
  expect(await isReady({ sql })).toBe(false);
  answer = async () => [];
  expect(await isReady({ sql })).toBe(true);
});
