import { type RefObject, useEffect } from "react";

/** Takes the focus to the first field of the form that was refused, whenever another answer comes. */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, answer: unknown): void {
  useEffect(() => {
    if (answer) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, answer]);
}
