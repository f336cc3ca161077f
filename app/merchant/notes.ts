// What can be done on the merchants' pages, as the page that follows tells it.
import type { Notes } from "~/ui/done-note";

export const notes = {
  "discovery-on": ["AI Discovery is on", "Platforms can read the store from their next request."],
  "discovery-off": [
    "AI Discovery is off",
    "From their next request, all platforms are told that the store is not available.",
  ],
  joined: ["The invitation has been accepted", "You now act for this merchant."],
  blocked: ["The platform is blocked", "From its next request, it is told that this store is not available."],
  unblocked: ["The platform is unblocked", "From its next request, your block no longer keeps it from this store."],
  granted: ["Access has been granted", "It counts from the platform's next request, while AI Discovery is on."],
  withdrawn: [
    "The grant has been withdrawn",
    "From its next request, the platform is told that this store is not available.",
  ],
  excluded: [
    "The product is excluded",
    "From the next request, no answer includes it, even after the next load of your feed.",
  ],
  included: ["The product is included again"],
  saved: ["Saved", "Agents see it from their next request."],
  ended: ["The promotion has ended"],
  removed: ["Removed", "Agents no longer see it."],
  "source-removed": ["The address is removed", "The feed is no longer fetched; the catalogue stays as it is."],
  "stock-loaded": ["The counts are loaded", "Agents that may read exact stock see them from their next request."],
  "stock-removed": ["All counts are removed", "Agents are told that the store publishes no stock counts."],
  read: ["Marked as read"],
  digest: ["Your choice has been saved"],
} as const satisfies Notes;

export type Note = keyof typeof notes;

/** The address of the page that was posted to, without its dialog, telling of what was done. */
export function doneAt(request: Request, note: Note): string {
  const { pathname, searchParams } = new URL(request.url);
  for (const name of ["dialog", "id", "done", "index", "_routes"]) searchParams.delete(name);
  searchParams.set("done", note);
  return `${pathname.replace(/\.data$/, "")}?${searchParams}`;
}
