import { defineConfig } from "vitest/config";
import base from "./vitest.config";

// What breaks things on purpose: `npm run test:faults`. Bounded; FAULT_ROUNDS=20 tries each fault twenty times,
// RACE_ROUNDS=300 runs each race so often, ROLLING_REQUESTS=50000 makes so many calls while instances are replaced.
// Needs nginx and libfaketime (apt-get install nginx-light libfaketime).
export default defineConfig({
  ...base,
  test: { ...base.test, include: ["tests/faults/**/*.test.ts"], exclude: [], maxWorkers: 3 },
});
