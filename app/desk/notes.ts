// What operators can do to merchants, the terms and the settings, as the page that follows tells it.
import type { Notes } from "~/ui/done-note";

export const notes = {
  "merchant-renamed": ["The merchant has been renamed"],
  "store-created": ["The store has been created", "Its catalogue can be loaded now."],
  "store-saved": ["The store has been saved", "Agents see the changes from their next call."],
  "person-added": ["They now act for this merchant", "We have told them by email."],
  "person-removed": ["They no longer act for this merchant"],
  invited: ["The invitation is on its way", "The link in it works once, for 7 days."],
  "invitation-withdrawn": ["The invitation has been withdrawn", "Its link no longer works."],
  settings: ["The settings have been saved", "They apply from the next application and the next call."],
  terms: [
    "The new version has been published",
    "Owners are told by email. Keys are issued and rotated again once one of them accepts it.",
  ],
} as const satisfies Notes;

export type Note = keyof typeof notes;

/** The address of a page that tells of what was done. */
export const noted = (path: string, note: Note) => `${path}?done=${note}`;
