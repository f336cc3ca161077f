import { useEffect, useRef } from "react";
import { useIsSending } from "./is-sending";
import { followedBy } from "./same-page";

/** What a press leads elsewhere by: a link, or the button of a search, or of another page's form, as of the log-out. */
function leadingOn(event: MouseEvent): HTMLElement | null {
  const link = followedBy(event);
  if (link) return link.protocol.startsWith("http") && !link.ariaDisabled ? link : null;
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button") : null;
  if (!button?.form || button.ariaDisabled) return null;
  const action = button.form.getAttribute("action");
  // A theme is chosen in place.
  const isElsewhere = action && action !== "/theme" && action.split("?")[0] !== window.location.pathname;
  return isElsewhere || button.form.method === "get" ? button : null;
}

/** Is what the form was answered on the page already, which is at most loaded anew? Whoever leaves now has seen that. */
export function isAnswered(): boolean {
  const { actionData, navigation } = window.__remixRouter.state;
  return navigation.state !== "submitting" && actionData != null;
}

/** Is the form that was sent done with, and nothing came of it to be seen? */
export function isLedOn(): boolean {
  const { actionData, errors } = window.__remixRouter.state;
  return !actionData && !errors;
}

/**
 * A step would break off the form that is being sent: a file would be lost, and a refusal never shown. A link that is pressed
 * meanwhile, a search or the log-out is followed once the form is done with: where it was answered with something to see, the
 * page stays. Stands once, in root.tsx.
 */
export function useHeldLinks(): void {
  const isSending = useIsSending();
  const held = useRef<{ pressed: HTMLElement; isLate: boolean }>();
  useEffect(() => {
    if (!isSending) return;
    const onClick = (event: MouseEvent) => {
      const pressed = event.defaultPrevented ? null : leadingOn(event);
      const isLate = isAnswered();
      // To the page itself, as to what stands on it by now.
      const isHere = pressed instanceof HTMLAnchorElement && pressed.pathname === window.location.pathname;
      if (!pressed || (isLate && isHere)) return;
      event.preventDefault();
      held.current = { pressed, isLate };
    };
    document.addEventListener("click", onClick, true);
    return () => {
      document.removeEventListener("click", onClick, true);
      const { pressed, isLate } = held.current ?? {};
      // Once every form knows of its answer.
      if (isLate || isLedOn()) queueMicrotask(() => pressed?.isConnected && pressed.click());
      held.current = undefined;
    };
  }, [isSending]);
}
