import { isRouteErrorResponse, useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { isGone, isGoneAlone, isUnreached, logInFor, onUnanswered } from "~/lib/keep-page";
import { SomebodyElse } from "~/lib/whose-page";
import { Banner } from "./banner";
import { cx } from "./cx";
import { ownPages, pageAbove } from "./nav";
import { failureOf, TellSupport } from "./route-error";
import { TextLink } from "./text-link";

interface Problem {
  error: unknown;
  /** Of what a form asked for; false of a theme, which is chosen beside it. */
  isOfForm: boolean;
  /** The form that was sent; null where it has nothing to fill in, and stands anywhere. */
  form: HTMLFormElement | null;
  /** What sent it, as far as a button did. */
  button: HTMLElement | null | undefined;
  isTooLarge: boolean;
  /** The page is loaded anew, and may not have the form any more. */
  isAnew: boolean;
  scrollY: number;
  page: string;
}

/** What the server takes of a form without files. It refuses more before any page could answer, so Remix keeps no status of it. */
const MOST_BYTES = 256 * 1024;

/** Files are no part of it: they have a limit of their own. */
const sizeOf = (form: HTMLFormElement): number =>
  form.enctype === "multipart/form-data"
    ? 0
    : new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])).toString().length;

/** Is the page still the one that was kept? */
const stands = ({ page, form }: Problem, pathname: string): boolean => page === pathname && form?.isConnected !== false;

const isOfFormHere = (told: Problem | undefined): boolean =>
  told?.isOfForm === true && stands(told, window.location.pathname);

/** Why a form got no answer: at its end, or, of a lone button, at the window's foot; until it is sent again. Stands once, in root.tsx. */
export function Unanswered() {
  const sent = useRef<HTMLFormElement>();
  const submitter = useRef<HTMLElement | null>();
  const [problem, setProblem] = useState<Problem>();
  const { pathname } = useLocation();
  const isIdle = useNavigation().state === "idle";
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onSubmit = ({ target, submitter: button }: SubmitEvent) => {
      const form = target as HTMLFormElement;
      if (form.getAttribute("action") === "/theme")
        return setProblem((told) => (isOfFormHere(told) ? told : undefined));
      sent.current = form;
      submitter.current = button;
      setProblem(undefined);
    };
    document.addEventListener("submit", onSubmit, true);
    const stop = onUnanswered((error, isOfForm) => {
      const isFilledIn =
        isOfForm && sent.current?.matches("dialog form, :has(input:not([type=hidden]), select, textarea)");
      const form = (isFilledIn && sent.current) || null;
      const isTooLarge = form !== null && sizeOf(form) > MOST_BYTES;
      const problem = {
        error,
        isOfForm,
        form,
        button: isOfForm ? submitter.current : null,
        isTooLarge,
        isAnew: isGoneAlone(error),
        scrollY: window.scrollY,
        page: window.location.pathname,
      };
      setProblem((told) => (!isOfForm && isOfFormHere(told) ? told : problem));
    });
    return () => {
      document.removeEventListener("submit", onSubmit, true);
      stop();
    };
  }, []);
  useEffect(() => {
    if (isIdle && problem?.isAnew && problem.form?.isConnected === false) setProblem({ ...problem, form: null });
  }, [isIdle, problem]);
  const isStill = isIdle && problem !== undefined && stands(problem, pathname);
  // A page that is gone as well says so itself.
  const isShown = isStill && !window.__remixRouter.state.errors;
  useEffect(() => {
    if (!isShown) return;
    // The router takes this for another page, and has scrolled to its top.
    window.scrollTo(0, problem.scrollY);
    box.current?.scrollIntoView({ block: "nearest" });
  }, [isShown, problem]);
  if (!isShown) return null;
  const { form, button } = problem;
  const dismiss = () => {
    // The cross goes with its message, and the focus would with it.
    if (button?.isConnected) button.focus();
    else document.getElementById("content")?.focus({ preventScroll: true });
    setProblem(undefined);
  };
  const { title, advice } = explain(problem);
  return createPortal(
    <div
      className={cx(
        "animate-rise rounded-lg bg-surface",
        form ? "w-full" : "fixed inset-x-4 bottom-4 z-50 mx-auto max-w-xl shadow-float",
      )}
      ref={box}
    >
      <Banner onDismiss={dismiss} title={title} tone="danger">
        {advice}
      </Banner>
    </div>,
    form ?? document.body,
  );
}

function explain({ error, isTooLarge, isAnew, page }: Problem): { title: string; advice: ReactNode } {
  if (isTooLarge)
    return {
      title: "This is too long to send",
      advice: "Nothing was saved. The page is as you left it: shorten the longest text, then send it again.",
    };
  if (isUnreached(error))
    return {
      title: "The server could not be reached",
      advice: "Most likely nothing was saved. The page is as you left it: try again once you are connected.",
    };
  if (error instanceof SomebodyElse)
    return {
      title: "Another account is logged in now",
      advice: (
        <>
          Nothing was saved. The page is as you left it: in another tab, log out and log in as{" "}
          <span className="wrap-anywhere">{error.email}</span>, then try again here.
        </>
      ),
    };
  const logIn = logInFor(error);
  if (logIn)
    return {
      title: "Your session has ended",
      advice: (
        <>
          Nothing was saved. The page is as you left it:{" "}
          <TextLink rel="noopener" target="_blank" to={logIn}>
            log in in another tab
          </TextLink>
          , then try again here.
        </>
      ),
    };
  if (isGone(error)) {
    const { to, label } = pageAbove(page) ?? ownPages;
    return {
      title: failureOf(error).message?.replace(/\.$/, "") ?? "What this is about is gone",
      advice: isAnew ? (
        "Somebody may have removed it in the meantime, or your access to it has ended. Nothing was done: the page shows what is there now."
      ) : (
        <>
          Somebody may have removed it in the meantime, or your access to it has ended. Nothing was saved. The page is
          as you left it: copy what you want to keep, then go to <TextLink to={to}>{label}</TextLink>.
        </>
      ),
    };
  }
  if (isRouteErrorResponse(error) && error.status === 503)
    return {
      title: "The service is busy",
      advice: "Most likely nothing was saved. The page is as you left it: try again in a moment.",
    };
  const { requestId } = failureOf(error);
  return {
    title: "Something went wrong on our side",
    advice: (
      <>
        The page is as you left it. <TellSupport requestId={requestId} />{" "}
        {requestId && <code className="wrap-anywhere font-mono text-xs">{requestId}</code>}
      </>
    ),
  };
}
