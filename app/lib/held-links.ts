import { useEffect, useRef } from "react";
import { useIsSending } from "./is-sending";
import { followedBy } from "./same-page";

/**
 * A step would break off the form that is being sent: a file would be lost, and a refusal never shown. A link that is pressed
 * meanwhile is followed once the form is done with: where it was answered with something to see, the page stays. Stands once,
 * in root.tsx.
 */
export function useHeldLinks(): void {
  const isSending = useIsSending();
  const held = useRef<HTMLAnchorElement>();
  useEffect(() => {
    if (!isSending) return;
    const onClick = (event: MouseEvent) => {
      const link = event.defaultPrevented ? null : followedBy(event);
      if (!link?.protocol.startsWith("http") || link.ariaDisabled) return;
      event.preventDefault();
      held.current = link;
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
