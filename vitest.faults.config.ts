import { defineConfig } from "vitest/config";
import base from "./vitest.config";

// What breaks things on purpose: `npm run test:faults`; FAULT_ROUNDS=20 tries each fault twenty times.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ["tests/faults/**/*.test.ts"], exclude: [], fileParallelism: false },
});
