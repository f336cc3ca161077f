// The stretches of time that usage is shown over, and their steps: UTC, the present step included.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../clock";
import type { Grain } from "./usage-rollup";

/** How far a report reaches back, in whole steps up to the present one, UTC. */
export const ranges = {
  "1h": { grain: "minute", steps: 60 },
  "24h": { grain: "hour", steps: 24 },
  "7d": { grain: "hour", steps: 7 * 24 },
  "30d": { grain: "day", steps: 30 },
  "90d": { grain: "day", steps: 90 },
} as const satisfies Record<string, { grain: Grain; steps: number }>;
export type Range = keyof typeof ranges;

const lengths: Record<Grain, number> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS };

/** The beginnings of a range's steps, oldest first; the last one is the present step. */
export function stepsOf(range: Range, now: Date): Date[] {
  const { grain, steps } = ranges[range];
  const length = lengths[grain];
  const last = Math.floor(now.getTime() / length) * length;
  return Array.from({ length: steps }, (_, i) => new Date(last - (steps - 1 - i) * length));
}

/** When a range's first step begins. */
export const beginningOf = (range: Range, now: Date): Date => stepsOf(range, now)[0]!;
