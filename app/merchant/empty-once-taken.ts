import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** What was chosen goes once it was taken, and not with a load that another begins, nor where no answer came. */
export function useEmptyOnceTaken(isSending: boolean, empty: () => void): void {
  const isLedHere = useLocation().state?._isRedirect === true;
  const wasSending = useRef(false);
  useEffect(() => {
    if (wasSending.current && !isSending && isLedHere) empty();
    wasSending.current = isSending;
  });
}
