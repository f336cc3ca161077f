// Files that follow each other in one process share what is in node_modules, and nothing of ours: that is evaluated anew.
import { vi } from "vitest";

vi.resetModules();
vi.useRealTimers();
// Of a run that was ended no process goes on.
if (process.listenerCount("disconnect") === 0) process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
