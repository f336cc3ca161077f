// A dialog is a place: `?dialog=revoke&id=…`. A link opens it, with scripts or without; the back button closes it.
import { type ShouldRevalidateFunction, useSearchParams } from "@remix-run/react";
import { afterAnyAnswer, isShownOnce } from "~/lib/keep-page";

const CONFLICT = 409;

/** All that an address says of the page behind a dialog. */
export function withoutDialog(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
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
 * Whether a dialog's form is of something: a new one, which has no id, or one that is there. One that is gone since it was
 * sent stays too, with what was typed.
 */
export const isOfSomething = (id: string | null, found: unknown, answer: unknown): boolean =>
  id === null || found !== undefined || answer !== undefined;

/** What stands may not have come yet when the dialog is closed: until a submission goes through, each step on the page loads. */
let wasTooLate = false;

/** What stood on the page when its last load began: as long as it stands, that load is under way, or was ended by a click. */
let before: unknown;

/**
 * For `export const shouldRevalidate`, also of each frame around such a page: opening and closing a dialog loads nothing
 * again, so it opens at once. Whoever was too late in one has what stands now at once: the page behind it, and the version
 * that its form sends.
 */
export const keepDataForDialog: ShouldRevalidateFunction = (args) => {
  const { loaderData } = window.__remixRouter.state;
  const isTooLate = isTooLateAfter(args);
  // What stands may be old: somebody was too late, or a load of the page has not come, and would not come after this step.
  const loads = isLoaded(args, isTooLate || before === loaderData);
  // A link that is only pointed at asks as well, and alone says nothing of an action.
  if ("actionStatus" in args) {
    wasTooLate = isTooLate;
    if (loads) before = loaderData;
  }
  return loads;
};

type Step = Parameters<ShouldRevalidateFunction>[0];

const isSent = ({ formMethod }: Step) => formMethod !== undefined && formMethod !== "GET";

/** Whether somebody is too late once this step is taken, or what stands is from before it. */
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
