// What somebody types into a form is theirs: nothing that comes to the page meanwhile may draw the form anew, and lose it.
import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { isLedHere } from "./is-led-here";
import { useEarlyEffect } from "./keep-focus";

/** What has become of a form's fields. No state of React's: it is looked at when something happens, and draws nothing. */
export interface Typing {
  form: RefObject<HTMLFormElement | null>;
  /** Something was typed since they were drawn or saved. */
  isUnsaved: boolean;
  /** Something was typed since they were last sent. */
  isLater: boolean;
  /** They were sent, and the answer is not on the page yet. */
  isSent: boolean;
}

const onPage = new Set<Typing>();

/** Is a form on its way whose typed text would be lost with the page? */
export const isTypedSent = (): boolean => [...onPage].some(({ isSent, isUnsaved }) => isSent && isUnsaved);

/** Watches a form. Only a redirect says that it was saved: a refusal and a preview are answers too, and none may come at all. */
export function useTyping(form: RefObject<HTMLFormElement | null>): Typing {
  const [typing] = useState<Typing>({ form, isUnsaved: false, isLater: false, isSent: false });
  useEffect(() => {
    const onType = ({ target }: Event) => {
      const field = target as Partial<HTMLInputElement>;
      if (form.current && field.form === form.current) Object.assign(typing, { isUnsaved: true, isLater: true });
    };
    const onSubmit = ({ target }: Event) => {
      // What another form sends meanwhile, as that of the theme, leaves this one as it is.
      if (target === form.current) Object.assign(typing, { isSent: true, isLater: false });
    };
    document.addEventListener("input", onType, true);
    document.addEventListener("submit", onSubmit, true);
    onPage.add(typing);
    return () => {
      onPage.delete(typing);
      document.removeEventListener("input", onType, true);
      document.removeEventListener("submit", onSubmit, true);
    };
  }, [form, typing]);
  const { state } = useNavigation();
  const location = useLocation();
  useEffect(() => {
    if (state !== "idle" || !typing.isSent) return;
    typing.isSent = false;
    if (isLedHere(location)) typing.isUnsaved = typing.isLater;
  }, [state, location, typing]);
  return typing;
}

interface Shown<Values, Version> {
  /** Text that differs where the form would look different: then it is drawn anew. */
  looks: string;
  values: Values;
  /** Of what the form shows; it sends that along (ui/shown-version.tsx). */
  version: Version;
}

/** The state of a link that asks for what is saved, whatever was typed. */
export const ANEW = { isAnew: true };

/**
 * What a form shows: what is saved now, under another `key` when that looks different. But while it has typed text in it that is
 * not saved, it goes on showing what was saved when it was drawn, and sends that version, so that a change by somebody else is
 * noticed. After an answer to the form itself it sends the newest.
 */
export function useDrawn<Values, Version>(
  typing: Typing,
  { looks, values, version }: Shown<Values, Version>,
): { key: string; values: Values; version: Version } {
  const { key: at, state } = useLocation();
  const answer = useActionData<unknown>();
  const [drawn, draw] = useState({ key: looks, values, version, looks, newest: version, at });
  if (looks !== drawn.looks || version !== drawn.newest || at !== drawn.at) {
    const isAsked = at !== drawn.at && (state as Partial<typeof ANEW> | null)?.isAnew === true;
    const isHeld = !isAsked && typing.isUnsaved && (typing.isLater || !typing.isSent);
    const isSameVersion = drawn.version === drawn.newest && looks === drawn.looks;
    const seen = { looks, newest: version, at };
    if (isAsked || (looks !== drawn.looks && !isHeld)) draw({ ...seen, key: looks, values, version });
    else draw({ ...drawn, ...seen, version: isSameVersion || typing.isSent ? version : drawn.version });
  }
  const { key } = drawn;
  // Drawn anew without an answer, it shows what is saved.
  useEarlyEffect(() => {
    if (answer === undefined) Object.assign(typing, { isUnsaved: false, isLater: false });
  }, [key, typing]);
  return { key, values: key === looks ? values : drawn.values, version: drawn.version };
}
