// A form that gets no answer, a failure of ours, or the log-in since the session has ended, leaves its page as it stands,
// with what was filled in; so does one that somebody else than who opened it would send, and one about what is not there for
// its person any more: without text in it, its page is loaded anew. ui/unanswered.tsx says why.
import { type ClientActionFunctionArgs, isRouteErrorResponse, type ShouldRevalidateFunction } from "@remix-run/react";
import { emptyChangedFiles } from "./changed-file";
import { isTypedSent } from "./typing";
import { expectSamePerson } from "./whose-page";

const UNANSWERED = 503;

/** Did a request find no server? Browsers have no code for that, only words of their own. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof TypeError &&
  /^(Failed to fetch|NetworkError|Load failed|The network|network error)/.test(error.message);

/** Was there no such thing, or is it no more the person's to see? */
export const isGone = (error: unknown): boolean => isRouteErrorResponse(error) && error.status === 404;

/** Likewise, and nothing that was typed would be lost: then its page is loaded anew, as it is without that. */
export const isGoneAlone = (error: unknown): boolean => isGone(error) && !isTypedSent();

/** The way to the log-in, where a form was answered with it (api.server.ts): there, what was typed would be gone. */
export const logInFor = (error: unknown): string | undefined =>
  error instanceof Response ? /^(\/login\?to=.*)&unsent$/.exec(error.headers.get("location") ?? "")?.[1] : undefined;

let tell: (error: unknown) => void = () => {};

/** @param listener is told of each form whose answer did not come @returns what ends that */
export function onUnanswered(listener: (error: unknown) => void): () => void {
  tell = listener;
  return () => {
    tell = () => {};
  };
}

/** Says why no answer came, for what is sent otherwise than by `keepPage`. */
export const tellUnanswered = (error: unknown): void => tell(error);

/** For every page with a form: `export { keepPage as clientAction } from "~/lib/keep-page"`. */
export async function keepPage({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  // A form of another page leads there, whatever comes of it.
  const isElsewhere = new URL(request.url).pathname !== window.location.pathname;
  try {
    if (!isElsewhere) expectSamePerson();
    return await serverAction();
  } catch (error) {
    const isAnswer = error instanceof Response ? !logInFor(error) : isRouteErrorResponse(error) && error.status < 500;
    if ((isAnswer && !isGone(error)) || isElsewhere || request.signal.aborted) throw error;
    if (!isUnreached(error) || !(await emptyChangedFiles())) tell(error);
    const isAnew = isGoneAlone(error);
    // What the form was answered before, itself and not a copy: nothing on the page happens again.
    const [before] = isAnew ? [] : Object.values(window.__remixRouter.state.actionData ?? {});
    return Object.assign(Response.json(null, { status: isAnew ? 200 : UNANSWERED }), { json: async () => before });
  }
}

/** Has it what nobody is shown a second time (`isShownOnce`)? */
export const isShownOnce = (answer: { isShownOnce?: unknown } | undefined): boolean => answer?.isShownOnce === true;

/** What is refused in the form itself, whatever stands by now: with text that was typed into it, its page is left alone. */
const refusedAsTyped = ["forbidden", "invalid_input"];

/**
 * For pages that load anew also after a refusal: `export { afterAnyAnswer as shouldRevalidate }`. What finds no server, or
 * the log-in, or what somebody else's page is by now, would take the page away that was just kept, and so would what its
 * person may not see any more, with what was typed; after what is shown once, loading could only lead away from it.
 */
export const afterAnyAnswer: ShouldRevalidateFunction = ({ actionStatus, actionResult }) =>
  actionStatus !== UNANSWERED &&
  !isShownOnce(actionResult) &&
  !actionResult?.errors?.isElsewhere &&
  !(refusedAsTyped.includes(actionResult?.errors?.code) && isTypedSent());
