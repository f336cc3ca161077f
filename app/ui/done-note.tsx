// What was just done, told on the page that follows: `?done=…`, one of the words that the page has a note for.
import { useLocation, useSearchParams } from "@remix-run/react";
import { useEffect } from "react";
import { isLedHere } from "~/lib/is-led-here";
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
  const location = useLocation();
  const { key } = location;
  // One came here by what was done, or opened the address. A form without an answer stays at it too, but nothing was done.
  const isNews = key === "default" || isLedHere(location);
  const toast = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same may be done again, at the same address.
  useEffect(() => {
    // Once: who reloads the page, or comes back to it, has done nothing.
    const entry = window.history.state as { told?: true } | null;
    if (!title || !isNews || entry?.told) return;
    window.history.replaceState({ ...entry, told: true }, "");
    toast(more ? `${title}. ${more}` : title);
  }, [key, isNews, title, more, toast]);
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
