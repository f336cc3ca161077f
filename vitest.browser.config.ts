import { defineConfig } from "vitest/config";
import base from "./vitest.config";

// What needs Chromium (at CHROMIUM, else the one of Debian): `npm run test:browser`.
export default defineConfig({
  ...base,
  // A browser works where others wait: more of them than cores, and each stands still for seconds.
  test: { ...base.test, include: ["tests/browser/**/*.test.ts"], exclude: [], testTimeout: 300_000, maxWorkers: 3 },
});
