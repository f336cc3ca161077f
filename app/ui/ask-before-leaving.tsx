import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { useCallback } from "react";
import type { Typing } from "~/lib/typing";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";

/** Asks whoever leaves a form, by whatever way, with text in it that is not saved. For forms in which much is written. */
export function AskBeforeLeaving({ typing }: { typing: Typing }) {
  const blocker = useBlocker(
    useCallback<Exclude<Parameters<typeof useBlocker>[0], boolean>>(
      ({ currentLocation: from, nextLocation: to }) => {
        // What was just sent is being saved.
        if (!typing.isUnsaved || (typing.isSent && !typing.isLater)) return false;
        const isClosed = dialogOf(from) !== dialogOf(to) && typing.form.current?.closest("dialog") != null;
        return from.pathname !== to.pathname || isClosed;
      },
      [typing],
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
  if (blocker.state !== "blocked") return null;
  return (
    <Dialog closeTo={blocker.reset} description="It has not been saved." title="Discard what you typed?">
      <DialogActions>
        <Button onClick={blocker.reset}>Keep editing</Button>
        <Button onClick={blocker.proceed} variant="danger">
          Discard
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const dialogOf = ({ search }: { search: string }): string | null => new URLSearchParams(search).get("dialog");
