import { defineConfig } from "vitest/config";
import base from "./vitest.config";

// What needs Chromium (at CHROMIUM, else the one of Debian): `npm run test:browser`.
export default defineConfig({
  ...base,
  // A browser works where others wait; what a page waits for, until nothing comes any more, leaves room for one more than cores.
  test: { ...base.test, include: ["tests/browser/**/*.test.ts"], exclude: [], testTimeout: 300_000, maxWorkers: 3 },
});
