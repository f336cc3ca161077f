import { useActionData, useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/**
 * Loads an open page's data again every so often, while it can be seen. `null` ends that, after one more load: a page is read by
 * several statements, and what ended between two of them was shown half ended. Never while a click or a form waits for its
 * answer, which would be asked for anew.
 */
export function useLookAgain(everyMs: number | null): void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = state === "idle" && navigation.state === "idle";
  const isLooking = useRef(false);
  useEffect(() => {
    if (!isIdle) return;
    if (everyMs === null) {
      if (isLooking.current) revalidate();
      isLooking.current = false;
      return;
    }
    isLooking.current = true;
    let isOver = false;
    const look = async () => {
      if (document.visibilityState === "visible" && (await canAnswer()) && !isOver) revalidate();
    };
    const timer = setInterval(look, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [revalidate, isIdle, everyMs]);
}

/** A look that fails would put its error in the page's place, for good: while the server is away, what was seen last stays. */
const canAnswer = (): Promise<boolean> =>
  fetch("/readyz", { cache: "no-store" }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** The answer to a form of the page, which looking again forgets: kept until another answer comes, or another place. */
export function useLastingAnswer<Action>() {
  const answer = useActionData<Action>();
  const { key } = useLocation();
  const [kept, keep] = useState({ key, answer });
  if (kept.key !== key || (answer !== undefined && answer !== kept.answer)) keep({ key, answer });
  return answer ?? (kept.key === key ? kept.answer : undefined);
}
