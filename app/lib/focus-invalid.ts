import { type RefObject, useEffect } from "react";

/** Whenever another answer comes: focus to the first field that was refused; without one, what is wrong comes into view. */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, answer: unknown): void {
  useEffect(() => {
    if (!answer) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    else form.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [form, answer]);
}
