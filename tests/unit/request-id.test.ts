import { afterEach, describe, expect, it, vi } from "vitest";
import { momentOf, newRequestId } from "../../server/context";

afterEach(() => void vi.useRealTimers());

describe("a request's id", () => {
  it("comes after those before it: within a millisecond, and where the clock is corrected by less than a second", () => {
    const at = Date.UTC(2030, 0);
    vi.useFakeTimers({ now: at, toFake: ["Date"] });
    const ids = [0, 0, 0, -1, -999, -1, 0, 1, 2, -900].map((off) => {
      vi.setSystemTime(at + off);
      return newRequestId();
    });
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("tells its time again where the clock is set back by a second or more", () => {
    const at = Date.UTC(2031, 0);
    vi.useFakeTimers({ now: at, toFake: ["Date"] });
    expect(momentOf(newRequestId())).toBe(at);
    vi.setSystemTime(at - 1_000);
    expect(momentOf(newRequestId())).toBe(at - 1_000);
  });
});
