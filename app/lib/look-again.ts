import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Loads an open page's data again every so often, while it can be seen. With `null`, which ends it, once more: what a
 * page shows was read in several statements, and what ended between them would be shown half.
 */
export function useLookAgain(everyMs: number | null): void {
  const { revalidate, state } = useRevalidator();
  const isLooking = useRef(false);
  useEffect(() => {
    if (state !== "idle") return;
    if (everyMs === null) {
      if (isLooking.current) revalidate();
      isLooking.current = false;
      return;
    }
    isLooking.current = true;
    const timer = setInterval(() => document.visibilityState === "visible" && revalidate(), everyMs);
    return () => clearInterval(timer);
  }, [revalidate, state, everyMs]);
}
