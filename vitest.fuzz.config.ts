import { defineConfig } from "vitest/config";
import base from "./vitest.config";

// What nobody would send: `npm run test:fuzz`. FUZZ_CASES=100000 tries as many, FUZZ_SEED=… the same ones again.
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["tests/fuzz/**/*.test.ts"],
    exclude: [],
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
  },
});
