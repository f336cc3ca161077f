import { useNavigation } from "@remix-run/react";

const isPost = (formMethod: string | undefined): boolean => (formMethod ?? "GET") !== "GET";

/** Is a form of the page being sent? Another step would break it off, and what became of it would never be shown: links wait. */
export const useIsSending = (): boolean => isPost(useNavigation().formMethod);

/** The same at this very moment, of which the page itself may not know yet. */
export const isSendingNow = (): boolean => isPost(window.__remixRouter.state.navigation.formMethod);

/** Attributes of a link that waits. */
export const waiting = (isSending: boolean) =>
  isSending
    ? ({ "aria-disabled": true, onClick: (event: { preventDefault(): void }) => event.preventDefault() } as const)
    : {};
