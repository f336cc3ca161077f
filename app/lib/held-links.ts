import { useEffect, useRef } from "react";
import { useIsSending } from "./is-sending";
import { followedBy } from "./same-page";

/** What a press leads elsewhere by: a link, or the button of another page's form, as of the log-out. */
function leadingOn(event: MouseEvent): HTMLElement | null {
  const link = followedBy(event);
  if (link) return link.protocol.startsWith("http") && !link.ariaDisabled ? link : null;
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button") : null;
  const action = button?.form?.getAttribute("action");
  // A theme is chosen in place.
  return action && !button?.ariaDisabled && action !== "/theme" && action.split("?")[0] !== window.location.pathname
    ? button
    : null;
}

/**
 * A step would break off the form that is being sent: a file would be lost, and a refusal never shown. A link that is pressed
 * meanwhile, or the log-out, is followed once the form is done with: where it was answered with something to see, the page
 * stays. Stands once, in root.tsx.
 */
export function useHeldLinks(): void {
  const isSending = useIsSending();
  const held = useRef<HTMLElement>();
  useEffect(() => {
    if (!isSending) return;
    const onClick = (event: MouseEvent) => {
      const pressed = event.defaultPrevented ? null : leadingOn(event);
      if (!pressed) return;
      event.preventDefault();
      held.current = pressed;
    };
    document.addEventListener("click", onClick, true);
    return () => {
      document.removeEventListener("click", onClick, true);
      const { actionData, errors } = window.__remixRouter.state;
      if (held.current?.isConnected && !actionData && !errors) held.current.click();
      held.current = undefined;
    };
  }, [isSending]);
}
