import { type RefObject, useEffect } from "react";

/**
 * Whenever another answer comes: focus to the first field that was refused, or to what is wrong with a group of fields
 * (`data-refused`); without one, what is wrong comes into view.
 */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, answer: unknown): void {
  useEffect(() => {
    if (!answer) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-refused]");
    if (field) field.focus();
    else form.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [form, answer]);
}
