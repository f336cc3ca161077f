// CPU time from /proc: what a measurement cost whom, and how much of the machine others took meanwhile. CPU time of a
// process hardly changes when others want the machine too, so it says more on a busy one than any rate does.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const TICKS_PER_SECOND = 100;

export interface Cost {
  /** Seconds of wall time. */
  seconds: number;
  /** CPU seconds, user and system, of each process tree that was named. */
  cpu: Record<string, number>;
  /** The share of the machine's capacity that processes took which are not of this run, 0 to 1. */
  outside: number;
}

interface Process {
  parent: number;
  /** CPU ticks, with those of children that ended and were waited for. */
  ticks: number;
}

/**
 * Begins to watch.
 * @param trees process ids by name; their descendants count with them
 * @returns ends it, and tells
 */
export function watch(trees: Record<string, number>): () => Cost {
  const before = reading(trees);
  return () => {
    const after = reading(trees);
    const seconds = (after.at - before.at) / 1000;
    const ours = after.ours - before.ours;
    const busy = after.busy - before.busy;
    const capacity = seconds * availableParallelism();
    return {
      seconds,
      cpu: Object.fromEntries(Object.keys(trees).map((name) => [name, after.cpu[name]! - before.cpu[name]!])),
      outside: Math.max(0, (busy - ours) / capacity),
    };
  };
}

function reading(trees: Record<string, number>) {
  const all = processes();
  const cpu = Object.fromEntries(Object.entries(trees).map(([name, pid]) => [name, ticksOf(all, [pid])]));
  return {
    at: performance.now(),
    cpu,
    ours: ticksOf(all, [process.pid, ...Object.values(trees)]),
    busy: busySeconds(),
  };
}

/** CPU seconds of processes and all that came from them. */
function ticksOf(all: Map<number, Process>, roots: number[]): number {
  const isOurs = (pid: number): boolean =>
    roots.includes(pid) || (all.has(pid) && all.get(pid)!.parent !== 0 && isOurs(all.get(pid)!.parent));
  let ticks = 0;
  for (const [pid, { ticks: own }] of all) if (isOurs(pid)) ticks += own;
  return ticks / TICKS_PER_SECOND;
}

function processes(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const text = readFileSync(`/proc/${entry}/stat`, "utf8");
      // After the name, which may have blanks: state, parent, …; utime, stime, cutime, cstime are the 12th to the 15th.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0);
      found.set(Number(entry), { parent: Number(fields[1]), ticks });
    } catch {
      // It has ended.
    }
  }
  return found;
}

/** CPU seconds that the whole machine has worked: neither idle nor waiting for a disk. */
function busySeconds(): number {
  const line = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]!;
  const [user, nice, system, , , irq, softirq, steal] = line.trim().split(/\s+/).slice(1).map(Number) as number[];
  return (user! + nice! + system! + irq! + softirq! + steal!) / TICKS_PER_SECOND;
}

/** Bytes that a process holds in memory now, and the most it ever held. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0) * 1024;
  return { now: kilobytes("VmRSS"), peak: kilobytes("VmHWM") };
}
