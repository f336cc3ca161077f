// What can be done on the merchants' pages, as the page that follows tells it.
import type { Notes } from "~/ui/done-note";

export const notes = {
  "discovery-on": ["AI Discovery is on", "From their next request on, platforms can read the store."],
  "discovery-off": [
    "AI Discovery is off",
    "From its next request on, every platform is told that the store is not available.",
  ],
  joined: ["The invitation is accepted", "You act for this merchant now."],
  blocked: ["The platform is blocked", "Its next request about this store is told that it is not available."],
  unblocked: ["The platform is unblocked", "It can read the store from its next request on."],
  granted: ["Access is granted", "The platform can read the store from its next request on."],
  withdrawn: [
    "The grant is withdrawn",
    "The platform's next request about this store is told that it is not available.",
  ],
  excluded: [
    "The product is excluded",
    "From the next request on it is in no answer, also after the next load of your feed.",
  ],
  included: ["The product is included again"],
  saved: ["Saved", "Agents see it from their next request on."],
  ended: ["The promotion has ended"],
  removed: ["Removed", "Agents no longer see it."],
  "source-removed": ["The address is removed", "The feed is not fetched any more; the catalogue stays as it is."],
  read: ["Marked as read"],
  digest: ["Your choice is saved"],
} as const satisfies Notes;

export type Note = keyof typeof notes;

/** The address of the page that was posted to, without its dialog, telling of what was done. */
export function doneAt(request: Request, note: Note): string {
  const { pathname, searchParams } = new URL(request.url);
  for (const name of ["dialog", "id", "done", "index", "_routes"]) searchParams.delete(name);
  searchParams.set("done", note);
  return `${pathname.replace(/\.data$/, "")}?${searchParams}`;
}
