import { useLoaderData, useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";

/**
 * Once a form was accepted, and its page loaded anew, nothing of it stays there: passwords least of all. As after a reload.
 * @param isAccepted what the page was loaded for is that this form was accepted
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
