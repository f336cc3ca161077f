import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { isLedHere } from "~/lib/is-led-here";

/** Empties what was chosen once the form that sent it was accepted: not when somebody else begins a load, nor without an answer. */
export function useEmptyOnceTaken(isSending: boolean, empty: () => void): void {
  const isTaken = isLedHere(useLocation());
  const wasSending = useRef(false);
  useEffect(() => {
    if (wasSending.current && !isSending && isTaken) empty();
    wasSending.current = isSending;
  });
}
