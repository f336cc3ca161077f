import { useSyncExternalStore } from "react";
import { dayOf, exactTime, relativeTime, TICK_MS } from "~/lib/relative-time";

const tick = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;
const subscribe = (onTick: () => void) => {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
};

/** A moment in relative words, the exact UTC time on hover; `fallback` stands where there is none, such as "Never". */
export function Time({
  at,
  fallback = "Never",
  isDay = false,
}: {
  at: Date | string | null | undefined;
  fallback?: string;
  /** Its day instead, however near it is: an end of what lasts for days. */
  isDay?: boolean;
}) {
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
      {isDay ? dayOf(date) : relativeTime(date, now)}
    </time>
  );
}
