// What becomes of a page whose form came to nothing: no server answered, or we failed, or the session has ended, or somebody else
// is logged in by now, or what it is about is gone. The page stays as it is, with what was filled in; only where the thing is
// gone, and nothing was typed, is it loaded anew. ui/unanswered.tsx says why.
import { type ClientActionFunctionArgs, isRouteErrorResponse, type ShouldRevalidateFunction } from "@remix-run/react";
import { emptyChangedFiles } from "./changed-file";
import { isTypedSent } from "./typing";
import { expectSamePerson } from "./whose-page";

const UNANSWERED = 503;

/** Did a request find no server? Browsers have no code for that, only words of their own. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof TypeError &&
  /^(Failed to fetch|NetworkError|Load failed|The network|network error)/.test(error.message);

/** Is there no such thing, or may the person no longer see it? */
export const isGone = (error: unknown): boolean => isRouteErrorResponse(error) && error.status === 404;

/** The same, where nothing that was typed would be lost: then the page is loaded anew, without that thing. */
export const isGoneAlone = (error: unknown): boolean => isGone(error) && !isTypedSent();

/** The log-in's address, where a form was answered with a redirect to it (api.server.ts): following it would lose what was typed. */
export const logInFor = (error: unknown): string | undefined =>
  error instanceof Response ? /^(\/login\?to=.*)&unsent$/.exec(error.headers.get("location") ?? "")?.[1] : undefined;

type Listener = (error: unknown, isOfForm: boolean) => void;
let tell: Listener = () => {};

/** @param listener is told of each answer that did not come, and whether to a form of the page @returns what ends that */
export function onUnanswered(listener: Listener): () => void {
  tell = listener;
  return () => {
    tell = () => {};
  };
}

/** Tells the listener of an answer that did not come to what is no form of the page, such as a theme. */
export const tellUnanswered = (error: unknown): void => tell(error, false);

/** For every page with a form: `export { keepPage as clientAction } from "~/lib/keep-page"`. */
export async function keepPage({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  // A form that is sent to another page leads to that page, whatever comes of it.
  const isElsewhere = new URL(request.url).pathname !== window.location.pathname;
  try {
    if (!isElsewhere) expectSamePerson();
    return await serverAction();
  } catch (error) {
    const isAnswer = error instanceof Response ? !logInFor(error) : isRouteErrorResponse(error) && error.status < 500;
    if ((isAnswer && !isGone(error)) || isElsewhere || request.signal.aborted) throw error;
    if (!isUnreached(error) || !(await emptyChangedFiles())) tell(error, true);
    const isAnew = isGoneAlone(error);
    // The form's answer from before, the very object: a copy would set off on the page what that answer has set off already.
    const [before] = isAnew ? [] : Object.values(window.__remixRouter.state.actionData ?? {});
    return Object.assign(Response.json(null, { status: isAnew ? 200 : UNANSWERED }), { json: async () => before });
  }
}

/** Does the answer hold what nobody is shown a second time, such as a new key? */
export const isShownOnce = (answer: { isShownOnce?: unknown } | undefined): boolean => answer?.isShownOnce === true;

/** Refusals of what the form says, whatever is saved by now: while typed text is in it, its page is not loaded anew. */
const refusedAsTyped = ["forbidden", "invalid_input"];

/**
 * For pages that are loaded anew after every answer, a refusal too: `export { afterAnyAnswer as shouldRevalidate }`. Not where
 * that would take away the page that was just kept (no server, the session's end, somebody else's page by now), or text that was
 * typed into a refused form; nor after what is shown once, since loading could only lead away from it.
 */
export const afterAnyAnswer: ShouldRevalidateFunction = ({ actionStatus, actionResult }) =>
  actionStatus !== UNANSWERED &&
  !isShownOnce(actionResult) &&
  !actionResult?.errors?.isElsewhere &&
  !(refusedAsTyped.includes(actionResult?.errors?.code) && isTypedSent());
