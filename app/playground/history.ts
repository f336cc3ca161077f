// What was run, kept in this browser alone: the calls, never their answers, and nothing that is secret.
import { useCallback, useEffect, useState } from "react";
import { callLink, isLinkable } from "./run";

export interface PastRun {
  at: string;
  tool: string;
  /** JSON text. */
  args: string;
  /** Not said of what an earlier release kept. */
  asDirectory?: boolean;
  status: number;
  /** The refusal's code; null for an answer. */
  code: string | null;
  ms: number;
  requestId: string;
}

/** What a step to a call of the history carries. */
export const FROM_HISTORY = "playground-history";

const KEPT = 50;
const nameOf = (consumerId: string) => `aisle.playground.${consumerId}`;

/** The last 50 runs for a consumer, newest first. Without storage there is none, and nothing else fails. */
export function useHistory(consumerId: string) {
  const [runs, setRuns] = useState<PastRun[]>([]);
  useEffect(() => setRuns(read(consumerId)), [consumerId]);
  const add = useCallback(
    (run: PastRun) => {
      if (!opens(run)) return;
      // Read anew: another window may have added some.
      const next = [run, ...read(consumerId)].slice(0, KEPT);
      write(consumerId, next);
      setRuns(next);
    },
    [consumerId],
  );
  const clear = useCallback(() => {
    write(consumerId, []);
    setRuns([]);
  }, [consumerId]);
  return { runs, add, clear };
}

function read(consumerId: string): PastRun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(consumerId)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPastRun).filter(opens).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

function write(consumerId: string, runs: PastRun[]): void {
  try {
    localStorage.setItem(nameOf(consumerId), JSON.stringify(runs));
  } catch {
    // Full, or not allowed: the history is a convenience.
  }
}

const opens = ({ tool, args, asDirectory }: PastRun) => isLinkable(callLink(tool, args, asDirectory === true));

const isPastRun = (run: Partial<PastRun> | null): run is PastRun =>
  typeof run === "object" &&
  run !== null &&
  [run.at, run.tool, run.args, run.requestId].every((text) => typeof text === "string") &&
  typeof run.status === "number" &&
  typeof run.ms === "number";
