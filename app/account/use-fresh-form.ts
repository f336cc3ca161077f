import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";

/** Once a form was accepted, nothing of it stays on the page: passwords least of all. As after a reload. */
export function useFreshForm(form: RefObject<HTMLFormElement | null>, isRefused: boolean): void {
  const { key } = useLocation();
  const last = useRef(key);
  useEffect(() => {
    if (last.current === key) return;
    last.current = key;
    if (!isRefused) form.current?.reset();
  }, [form, isRefused, key]);
}
