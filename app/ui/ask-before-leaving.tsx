import { useBeforeUnload, useBlocker, useNavigate } from "@remix-run/react";
import { type ComponentProps, useCallback, useEffect, useRef } from "react";
import { isAnswered, isLedOn } from "~/lib/held-links";
import { isSendingNow, useIsSending } from "~/lib/is-sending";
import type { Typing } from "~/lib/typing";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";

type IsBlocked = Exclude<Parameters<typeof useBlocker>[0], boolean>;
type Blocker = ReturnType<typeof useBlocker>;
type To = Parameters<IsBlocked>[0]["nextLocation"];

/** Asks whoever leaves a form, by whatever way, with text in it that is not saved. For forms in which much is written. */
export function AskBeforeLeaving({ typing }: { typing: Typing }) {
  const wentBack = useHeldBack();
  const blocker = useBlocker(
    useCallback<IsBlocked>(
      ({ currentLocation: from, nextLocation: to, historyAction }) => {
        if (!typing.isUnsaved) return false;
        const isClosed = dialogOf(from) !== dialogOf(to) && typing.form.current?.closest("dialog") != null;
        const isLeft = from.pathname !== to.pathname || isClosed;
        if (isLeft && isSendingNow() && historyAction === "POP") wentBack.current = { to, isLate: isAnswered() };
        // What was just sent is being saved.
        else if (typing.isSent && !typing.isLater) return false;
        return isLeft;
      },
      [typing, wentBack],
    ),
  );
  useBeforeUnload(
    useCallback(
      (event) => {
        if (typing.isUnsaved) event.preventDefault();
      },
      [typing],
    ),
  );
  if (wentBack.current) return null;
  return (
    <Question
      blocker={blocker}
      description="It has not been saved."
      leave="Discard"
      stay="Keep editing"
      title="Discard what you typed?"
    />
  );
}

/** Back breaks off what is being sent, as a link would (lib/held-links.ts): it waits for the answer, and then leads there. */
function useHeldBack() {
  const isSending = useIsSending();
  const navigate = useNavigate();
  const held = useRef<{ to: To; isLate: boolean }>();
  useEffect(() => {
    if (!isSending) return;
    return () => {
      const { to, isLate } = held.current ?? {};
      held.current = undefined;
      const isElsewhere = to && to.pathname !== window.location.pathname;
      // Once the form knows of its answer.
      if (isElsewhere && (isLate || isLedOn())) queueMicrotask(() => navigate(to));
    };
  }, [isSending, navigate]);
  return held;
}

/** The state of a link, or a form, by which somebody says that they have stored what was shown. */
export const STORED = { isStored: true };

/** Asks whoever leaves what is shown once before anything was copied, by any way but one that says `STORED`. */
export function AskBeforeLosing({ what }: { what: string }) {
  const isCopied = useRef(false);
  useEffect(() => {
    const onCopy = () => {
      isCopied.current = true;
    };
    document.addEventListener("copy", onCopy);
    return () => document.removeEventListener("copy", onCopy);
  }, []);
  const blocker = useBlocker(
    useCallback<IsBlocked>(({ nextLocation: { state }, historyAction }) => {
      const isSaid = historyAction !== "POP" && (state as Partial<typeof STORED> | null)?.isStored === true;
      return !isCopied.current && !isSaid;
    }, []),
  );
  useBeforeUnload(
    useCallback((event) => {
      if (!isCopied.current) event.preventDefault();
    }, []),
  );
  return (
    <Question
      blocker={blocker}
      description="Nothing was copied, and it is not shown again."
      leave="Leave"
      stay="Stay"
      title={`Leave without ${what}?`}
    />
  );
}

/** @param stay what is pressed to stay, and `leave` to go on */
function Question({
  blocker,
  stay,
  leave,
  ...rest
}: { blocker: Blocker; stay: string; leave: string } & Pick<ComponentProps<typeof Dialog>, "title" | "description">) {
  if (blocker.state !== "blocked") return null;
  return (
    <Dialog {...rest} closeTo={blocker.reset}>
      <DialogActions>
        <Button onClick={blocker.reset}>{stay}</Button>
        <Button onClick={blocker.proceed} variant="danger">
          {leave}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const dialogOf = ({ search }: { search: string }): string | null => new URLSearchParams(search).get("dialog");
