// A dialog is a place: `?dialog=revoke&id=…`. A link opens it, with scripts or without; the back button closes it.
import { type ShouldRevalidateFunction, useSearchParams } from "@remix-run/react";
import { afterAnyAnswer, isShownOnce } from "~/lib/keep-page";

const CONFLICT = 409;

/** The query of an address without what names a dialog: that of the page behind it. */
export function withoutDialog(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  // By itself an id is a filter of the list's own.
  if (!rest.has("dialog")) return rest;
  rest.delete("dialog");
  rest.delete("id");
  return rest;
}

/** Which dialog is open, on what, and the address without it. */
export function useDialogParams(): { dialog: string | null; id: string | null; closeTo: string } {
  const [params] = useSearchParams();
  return { dialog: params.get("dialog"), id: params.get("id") || null, closeTo: `?${withoutDialog(params)}` };
}

/**
 * Is there something that a dialog's form is about: a new thing, which has no id, or one that was found? One that was removed
 * after the form was sent counts too, so that what was typed stays.
 */
export const isOfSomething = (id: string | null, found: unknown, answer: unknown): boolean =>
  id === null || found !== undefined || answer !== undefined;

/** Somebody else was quicker, and what they saved may not have arrived yet: until a form goes through, each step on the page loads. */
let wasTooLate = false;

/** The page's data when its last load began: while it is the same, that load is under way, or was broken off by a click. */
let before: unknown;

/**
 * For `export const shouldRevalidate` of a page with dialogs, and of each frame around it: opening and closing a dialog loads
 * nothing, so it opens at once. A page whose data may be old, as after a form that was too late, is loaded: it shows what is saved
 * now, and its form sends that version.
 */
export const keepDataForDialog: ShouldRevalidateFunction = (args) => {
  const { loaderData } = window.__remixRouter.state;
  const isTooLate = isTooLateAfter(args);
  // The data may be old: a form was too late, or the last load has not arrived, and never would once this step is taken.
  const loads = isLoaded(args, isTooLate || before === loaderData);
  // A link that is only pointed at (prefetch) asks as well. It alone gives no `actionStatus`, and it is no step.
  if ("actionStatus" in args) {
    wasTooLate = isTooLate;
    if (loads) before = loaderData;
  }
  return loads;
};

type Step = Parameters<ShouldRevalidateFunction>[0];

const isSent = ({ formMethod }: Step) => formMethod !== undefined && formMethod !== "GET";

/** Is the data old after this step? After a form that was too late, or what is shown once, it is, until the page is left. */
function isTooLateAfter(step: Step): boolean {
  const { currentUrl, nextUrl, actionStatus, actionResult } = step;
  if (isSent(step))
    return isShownOnce(actionResult) || (actionStatus === CONFLICT && nextUrl.searchParams.has("dialog"));
  return wasTooLate && currentUrl.pathname === nextUrl.pathname;
}

function isLoaded(step: Step, mayBeOld: boolean): boolean {
  if (isSent(step)) return afterAnyAnswer(step);
  const { currentUrl, nextUrl, defaultShouldRevalidate } = step;
  const bare = ({ pathname, searchParams }: URL) => `${pathname}?${withoutDialog(searchParams)}`;
  const isSamePlace = bare(currentUrl) === bare(nextUrl) && currentUrl.search !== nextUrl.search;
  return isSamePlace ? mayBeOld : defaultShouldRevalidate;
}
