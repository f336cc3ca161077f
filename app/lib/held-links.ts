import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { isSendingNow, useIsSending } from "./is-sending";
import { followedBy } from "./same-page";

/** What a press leads elsewhere by, or sends: a link, or the button of another form than the one that is `sent`, as of the log-out. */
function leadingOn(event: MouseEvent, sent: EventTarget | null): HTMLElement | null {
  const link = followedBy(event);
  if (link) return link.protocol.startsWith("http") && !link.ariaDisabled ? link : null;
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button") : null;
  if (!button?.form || button.type !== "submit" || button.ariaDisabled) return null;
  const [path] = (button.form.getAttribute("action") ?? "").split("?");
  // A theme is chosen in place.
  if (path === "/theme") return null;
  return button.form === sent && path === window.location.pathname ? null : button;
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

interface Held {
  /** A link, a button, or a form that is sent without one. */
  pressed: HTMLElement;
  isLate: boolean;
}

const isForm = (pressed: HTMLElement): pressed is HTMLFormElement => pressed instanceof HTMLFormElement;

const goOn = (pressed: HTMLElement): void => (isForm(pressed) ? pressed.requestSubmit() : pressed.click());

/**
 * A step would break off the form that is being sent: a file would be lost, and a refusal never shown. A link that is pressed
 * meanwhile, or the button of another form, is followed once the form is done with, and so is a choice that sends itself: where
 * it was answered with something to see, the page stays, and the choice is as it was. Stands once, in root.tsx.
 */
export function useHeldLinks(): void {
  const isSending = useIsSending();
  const { key } = useLocation();
  const isShown = useRef(isSending);
  const sent = useRef<EventTarget | null>(null);
  const held = useRef<Held[]>([]);
  useEffect(() => {
    const hold = (pressed: HTMLElement, isLate: boolean) => {
      // Of links the last one counts, as long as nothing else is pressed.
      const before = held.current.filter(
        (one) => one.pressed !== pressed && !(one.pressed instanceof HTMLAnchorElement),
      );
      held.current = [...before, { pressed, isLate }];
    };
    const onSubmit = (event: SubmitEvent) => {
      const { target, submitter } = event;
      if (!isSendingNow()) sent.current = target;
      else if (!submitter && target !== sent.current && target instanceof HTMLFormElement) {
        event.preventDefault();
        hold(target, isAnswered());
      }
    };
    const onClick = (event: MouseEvent) => {
      // The page is behind by a moment, at both ends.
      if (!isSendingNow() && !isShown.current) return;
      const pressed = event.defaultPrevented ? null : leadingOn(event, sent.current);
      const isLate = isAnswered();
      // To the page itself, as to what stands on it by now.
      const isHere = pressed instanceof HTMLAnchorElement && pressed.pathname === window.location.pathname;
      if (!pressed || (isLate && isHere)) return;
      event.preventDefault();
      hold(pressed, isLate);
    };
    document.addEventListener("submit", onSubmit, true);
    document.addEventListener("click", onClick, true);
    return () => {
      document.removeEventListener("submit", onSubmit, true);
      document.removeEventListener("click", onClick, true);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer may come before the page showed that it was waited for
  useEffect(() => {
    isShown.current = isSending;
    if (isSending || isSendingNow()) return;
    const going = held.current.filter(({ isLate }) => isLate || isLedOn());
    for (const one of held.current) if (!going.includes(one) && isForm(one.pressed)) one.pressed.reset();
    held.current = [];
    if (going.length === 0) return;
    // Once every form knows of its answer.
    queueMicrotask(() => {
      const [next, ...rest] = going.filter(({ pressed }) => pressed.isConnected);
      if (next) goOn(next.pressed);
      // They wait for what that sends.
      if (isSendingNow()) held.current = rest.map(({ pressed }) => ({ pressed, isLate: false }));
    });
  }, [isSending, key]);
}
