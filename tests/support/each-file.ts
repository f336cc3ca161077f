// Files that follow each other in one process share what is in node_modules, and nothing of ours: that is evaluated anew.
import { vi } from "vitest";

vi.resetModules();
vi.useRealTimers();
// A worker ends with its run, however that was ended.
if (process.listenerCount("disconnect") === 0) process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
