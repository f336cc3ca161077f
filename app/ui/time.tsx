import { useSyncExternalStore } from "react";
import { exactTime, relativeTime, TICK_MS } from "~/lib/relative-time";

const tick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;
const subscribe = (onTick: () => void) => {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
};

/** A moment in relative words, the exact UTC time on hover; `fallback` stands where there is none, such as "Never". */
export function Time({ at, fallback = "Never" }: { at: Date | string | null | undefined; fallback?: string }) {
  const now = useSyncExternalStore(subscribe, tick, tick);
  if (at === null || at === undefined) return <span className="whitespace-nowrap text-faint">{fallback}</span>;
  const date = new Date(at);
  return (
    <time
      className="whitespace-nowrap"
      dateTime={date.toISOString()}
      dir="auto"
      suppressHydrationWarning
      title={exactTime(date)}
    >
      {relativeTime(date, now)}
    </time>
  );
}
