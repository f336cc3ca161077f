// What operators can do to merchants, the terms and the settings, as the page that follows tells it.
import type { Notes } from "~/ui/done-note";

export const notes = {
  "merchant-renamed": ["The merchant is renamed"],
  "store-created": ["The store is created", "Its catalogue can be loaded now."],
  "store-saved": ["The store is saved", "Agents are told so from their next call on."],
  "person-added": ["They act for this merchant from now on", "We have told them by mail."],
  "person-removed": ["They no longer act for this merchant"],
  invited: ["The invitation is on its way", "The link in it works once, for 7 days."],
  "invitation-withdrawn": ["The invitation is withdrawn", "Its link works no longer."],
  settings: ["The settings are saved", "They hold from the next application and the next call on."],
  terms: ["The new version is published", "Keys are issued and rotated again once an owner accepts it."],
} as const satisfies Notes;

export type Note = keyof typeof notes;

/** The address of a page that tells of what was done. */
export const noted = (path: string, note: Note) => `${path}?done=${note}`;
