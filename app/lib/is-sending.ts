import { useNavigation } from "@remix-run/react";

/** While a form of the page is being sent another step would end it, and what became of it would never be shown: links wait. */
export const useIsSending = (): boolean => (useNavigation().formMethod ?? "GET") !== "GET";

/** For a link that waits. */
export const waiting = (isSending: boolean) =>
  isSending
    ? ({ "aria-disabled": true, onClick: (event: { preventDefault(): void }) => event.preventDefault() } as const)
    : {};
