// What is typed into a form is its person's: nothing that comes to the page meanwhile draws the form anew under it.
import { useActionData, useLocation, useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useState } from "react";
import { useEarlyEffect } from "./keep-focus";

/** What has become of a form's fields; told to nobody, to be asked when something happens. */
export interface Typing {
  form: RefObject<HTMLFormElement | null>;
  /** Since they were drawn or saved something was typed. */
  isUnsaved: boolean;
  /** Since they were last sent something was typed. */
  isLater: boolean;
  /** They were sent, and the answer is not on the page yet. */
  isSent: boolean;
}

const isLedHere = (state: unknown): boolean => (state as { _isRedirect?: true } | null)?._isRedirect === true;

const onPage = new Set<Typing>();

/** Is what was sent, and has no answer yet, something that was typed and would be lost? */
export const isTypedSent = (): boolean => [...onPage].some(({ isSent, isUnsaved }) => isSent && isUnsaved);

/** Keeps an eye on a form. Only what leads on has saved it: a refusal and a preview answer, and a form may get no answer. */
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
    if (isLedHere(location.state)) typing.isUnsaved = typing.isLater;
  }, [state, location, typing]);
  return typing;
}

interface Shown<Values, Version> {
  /** Other words for another look, by which the form is drawn anew. */
  looks: string;
  values: Values;
  /** What the form tells of what it shows (ui/shown-version.tsx). */
  version: Version;
}

/** The state of a link that asks for what stands, whatever was typed. */
export const ANEW = { isAnew: true };

/**
 * What a form shows of what is saved: what stands now, under another `key` when that looks different, but as long as
 * something is typed and unsaved what stood when it was drawn. Then it tells of that version too, so that what somebody
 * else changed is noticed; after an answer of its own it tells of the newest.
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
