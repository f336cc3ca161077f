import { useNavigation } from "@remix-run/react";
import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Keeps the field of a filter at what the address says, whoever changed that. The value is written into the field: made anew
 * under another key, it would lose the focus of whoever has just looked for something with it.
 * @param leads a choice leads at once to another address. Whoever goes back before that was drawn is where they were, and nothing
 * but the way back tells of it
 */
export function useShown<Field extends HTMLInputElement | HTMLSelectElement>(
  value: string | boolean = "",
  { leads = false } = {},
): RefObject<Field> {
  const field = useRef<Field>(null);
  const hasArrived = useNavigation().state === "idle";
  const [wentBack, setWentBack] = useState(0);
  const last = useRef({ value, wentBack });
  useEffect(() => {
    if (!leads) return;
    const tell = () => setWentBack((times) => times + 1);
    addEventListener("popstate", tell);
    return () => removeEventListener("popstate", tell);
  }, [leads]);
  useEffect(() => {
    const before = last.current;
    last.current = { value, wentBack };
    if (!field.current) return;
    const isBack = hasArrived && before.wentBack !== wentBack;
    if (!isBack && (before.value === value || isTyping(field.current, before.value))) return;
    if (typeof value === "string") field.current.value = value;
    else (field.current as HTMLInputElement).checked = value;
  }, [value, wentBack, hasArrived]);
  return field;
}

/** What somebody has typed since, while an answer was on its way, stays. */
const isTyping = (field: HTMLInputElement | HTMLSelectElement, last: string | boolean): boolean =>
  document.activeElement === field && typeof last === "string" && field.value !== last;
