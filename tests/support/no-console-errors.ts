// An unexpected console.error fails the test that caused it.
import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => void vi.spyOn(console, "error"));
afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls;
  vi.mocked(console.error).mockRestore();
  expect(calls, "console.error was called").toEqual([]);
});
