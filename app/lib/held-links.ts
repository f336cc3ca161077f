import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { isSendingNow, useIsSending } from "./is-sending";
import { followedBy } from "./same-page";

/** What leads on by a press: a link, or the button of another form than the one that is `sent`, such as the log-out's. */
function leadingOn(event: MouseEvent, sent: EventTarget | null): HTMLElement | null {
  const link = followedBy(event);
  if (link) return link.protocol.startsWith("http") && !link.ariaDisabled ? link : null;
  const button = event.target instanceof Element ? event.target.closest<HTMLButtonElement>("button") : null;
  if (!button?.form || button.type !== "submit" || button.ariaDisabled) return null;
  const [path] = (button.form.getAttribute("action") ?? "").split("?");
  // A theme is chosen without leaving the page.
  if (path === "/theme") return null;
  return button.form === sent && path === window.location.pathname ? null : button;
}

/** Is the form's answer on the page, and at most its data still on the way? Whoever leaves now has seen the answer. */
export function isAnswered(): boolean {
  const { actionData, navigation } = window.__remixRouter.state;
  return navigation.state !== "submitting" && actionData != null;
}

/** Is the form done with, leaving nothing on the page to be read: neither an answer nor an error? */
export function isLedOn(): boolean {
  const { actionData, errors } = window.__remixRouter.state;
  return !actionData && !errors;
}

interface Held {
  /** A link, a button, or a form that is sent without one. */
  pressed: HTMLElement;
  /** It was pressed when the answer was on the page already: it is followed whatever that is. */
  isLate: boolean;
}

const isForm = (pressed: HTMLElement): pressed is HTMLFormElement => pressed instanceof HTMLFormElement;

const goOn = (pressed: HTMLElement): void => (isForm(pressed) ? pressed.requestSubmit() : pressed.click());

/**
 * Leaving the page, or sending another form, would break off the form that is being sent: a file would be lost, and a refusal
 * never shown. So a link that is pressed meanwhile, the button of another form, or a choice that sends itself is held until the
 * form has its answer, and followed then. Where that answer is something to read, the page stays instead, and the choice goes
 * back to what it was. Stands once, in root.tsx.
 */
export function useHeldLinks(): void {
  const isSending = useIsSending();
  const { key } = useLocation();
  const isShown = useRef(isSending);
  const sent = useRef<EventTarget | null>(null);
  const held = useRef<Held[]>([]);
  useEffect(() => {
    const hold = (pressed: HTMLElement, isLate: boolean) => {
      // Whatever is pressed after a link takes its place.
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
      // The page (`isShown`) learns a moment later than the router that a form is sent, and that it was answered.
      if (!isSendingNow() && !isShown.current) return;
      const pressed = event.defaultPrevented ? null : leadingOn(event, sent.current);
      const isLate = isAnswered();
      // It leads to this very page, with what is saved by now.
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
    // Once every form on the page knows of its answer.
    queueMicrotask(() => {
      const [next, ...rest] = going.filter(({ pressed }) => pressed.isConnected);
      if (next) goOn(next.pressed);
      // If that sends a form, the others wait for it.
      if (isSendingNow()) held.current = rest.map(({ pressed }) => ({ pressed, isLate: false }));
    });
  }, [isSending, key]);
}
