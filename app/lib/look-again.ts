import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Loads an open page's data again every so often, while it can be seen; `null` never. */
export function useLookAgain(everyMs: number | null): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle" || everyMs === null) return;
    const timer = setInterval(() => document.visibilityState === "visible" && revalidate(), everyMs);
    return () => clearInterval(timer);
  }, [revalidate, state, everyMs]);
}
