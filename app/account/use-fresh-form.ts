import { useLoaderData, useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";

/**
 * Empties a form once it was accepted and its page loaded anew, as a reload would: passwords least of all may stay there.
 * @param isAccepted whether the page was loaded because this form was accepted
 */
export function useFreshForm(form: RefObject<HTMLFormElement | null>, isAccepted: boolean): void {
  const { key } = useLocation();
  const loaded = useLoaderData<unknown>();
  const last = useRef({ key, loaded });
  useEffect(() => {
    const { current } = last;
    last.current = { key, loaded };
    if (current.key !== key && current.loaded !== loaded && isAccepted) form.current?.reset();
  }, [form, isAccepted, key, loaded]);
}
