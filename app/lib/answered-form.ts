import { type RefObject, useEffect, useRef } from "react";

/**
 * The form that `answer` came to. Whenever another one comes: focus to the first field that was refused, or to what is wrong with a
 * group of fields (`data-refused`); without one, what is wrong comes into view.
 */
export function useAnsweredForm(answer: unknown): RefObject<HTMLFormElement> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!answer) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-refused]");
    if (field) field.focus();
    else form.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [answer]);
  return form;
}
