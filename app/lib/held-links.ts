import { useEffect, useRef } from "react";
import { useIsSending } from "./is-sending";
import { followedBy } from "./same-page";

/** What a press would begin a step by, and the address that it leads to: a link, or the button of another form. */
function leadingOn(event: MouseEvent): { pressed: HTMLElement; to: string } | null {
  const link = followedBy(event);
  if (link) return link.protocol.startsWith("http") && !link.ariaDisabled ? { pressed: link, to: link.pathname } : null;
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button") : null;
  if (button?.type !== "submit" || !button.form || button.ariaDisabled) return null;
  const to = new URL(button.form.getAttribute("action") ?? "", window.location.href).pathname;
  // A theme is chosen in place.
  return to === "/theme" ? null : { pressed: button, to };
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
 * meanwhile, or another form's button, such as that of a search or the log-out, is followed once the form is done with: where
 * it was answered with something to see, the page stays. Stands once, in root.tsx.
 */
export function useHeldLinks(): void {
  const isSending = useIsSending();
  const held = useRef<{ pressed: HTMLElement; isLate: boolean }>();
  useEffect(() => {
    if (!isSending) return;
    const onClick = (event: MouseEvent) => {
      const step = event.defaultPrevented ? null : leadingOn(event);
      const isLate = isAnswered();
      // To the page itself, as to what stands on it by now.
      if (!step || (isLate && step.to === window.location.pathname)) return;
      event.preventDefault();
      held.current = { pressed: step.pressed, isLate };
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
