// What was just done, told on the page that follows: `?done=…`, one of the words that the page has a note for.
import { useLocation, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { Banner } from "./banner";
import { useToast } from "./toast";

export type Notes = Readonly<Record<string, Note>>;
type Note = readonly [title: string, more?: string];

/** The note that the address names, where it is one of these. */
export function useNote(notes: Notes): Note | undefined {
  const word = useSearchParams()[0].get("done");
  return word !== null && Object.hasOwn(notes, word) ? notes[word] : undefined;
}

/** A message that moves nothing on the page; above it only where no scripts run. */
export function DoneNote({ notes }: { notes: Notes }) {
  const [title, more] = useNote(notes) ?? [];
  const { key, state } = useLocation();
  /** By what was done, or by opening the address: a form that got no answer stays at it, and nothing was done. */
  const isLedHere = key === "default" || (state as { _isRedirect?: true } | null)?._isRedirect === true;
  const toast = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same may be done again, at the same address.
  useEffect(() => {
    // Once: who reloads the page, or comes back to it, has done nothing.
    const entry = window.history.state as { told?: true } | null;
    if (!title || !isLedHere || entry?.told) return;
    window.history.replaceState({ ...entry, told: true }, "");
    toast(more ? `${title}. ${more}` : title);
  }, [key, isLedHere, title, more, toast]);
  return (
    title && (
      <noscript>
        <Banner title={title} tone="success">
          {more}
        </Banner>
      </noscript>
    )
  );
}
