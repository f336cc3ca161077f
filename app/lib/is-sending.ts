import { useNavigation } from "@remix-run/react";

const isPost = (formMethod: string | undefined): boolean => (formMethod ?? "GET") !== "GET";

/** While a form of the page is being sent another step would end it, and what became of it would never be shown: links wait. */
export const useIsSending = (): boolean => isPost(useNavigation().formMethod);

/** The same at this moment, whatever is on the page yet. */
export const isSendingNow = (): boolean => isPost(window.__remixRouter.state.navigation.formMethod);

/** For a link that waits. */
export const waiting = (isSending: boolean) =>
  isSending
    ? ({ "aria-disabled": true, onClick: (event: { preventDefault(): void }) => event.preventDefault() } as const)
    : {};
