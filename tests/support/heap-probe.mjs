// Loaded into a server under test (NODE_OPTIONS=--import): at SIGUSR2 it collects garbage and says what is left.
import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc");

process.on("SIGUSR2", () => {
  gc();
  // Finalisers run between turns, and may free more.
  setTimeout(() => {
    gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    const files = readdirSync("/proc/self/fd").length;
    const handles = process.getActiveResourcesInfo().length;
    process.stdout.write(`\nprobe ${JSON.stringify({ bytes: heapUsed + external, rss, files, handles })}\n`);
  }, 50);
});
