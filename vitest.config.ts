import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { keepMemory } from "./tests/support/memory";

// Read by each process when it starts: by the workers, and by PostgreSQL.
Object.assign(process.env, keepMemory);

export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    // These have their own: vitest.browser.config.ts, vitest.faults.config.ts, vitest.fuzz.config.ts.
    exclude: ["tests/browser/**", "tests/faults/**", "tests/fuzz/**"],
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/each-file.ts", "tests/support/no-console-errors.ts"],
    pool: "forks",
    // A process for each worker, not for each file, which would read all of node_modules anew: see each-file.ts.
    isolate: false,
    // It knows the latest time of which it made an id, which may be one that a file before had only set.
    server: { deps: { inline: ["uuid"] } },
    // Most of a test is waiting, for a server to start or a database to answer: more at once than there are cores.
    maxWorkers: 4,
    // What hangs ends by these; nothing is measured by them. What takes seconds here takes a busy machine a minute.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
