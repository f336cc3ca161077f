import { type RefObject, useEffect, useRef } from "react";

/**
 * Keeps the field of a filter at what the address says, whoever changed that. The value is written into the field: made anew
 * under another key, it would lose the focus of whoever has just looked for something with it.
 */
export function useShown<Field extends HTMLInputElement | HTMLSelectElement>(
  value: string | boolean = "",
): RefObject<Field> {
  const field = useRef<Field>(null);
  const last = useRef(value);
  useEffect(() => {
    if (field.current && last.current !== value && !isTyping(field.current, last.current)) {
      if (typeof value === "string") field.current.value = value;
      else (field.current as HTMLInputElement).checked = value;
    }
    last.current = value;
  }, [value]);
  return field;
}

/** What somebody has typed since, while an answer was on its way, stays. */
const isTyping = (field: HTMLInputElement | HTMLSelectElement, last: string | boolean): boolean =>
  document.activeElement === field && typeof last === "string" && field.value !== last;
