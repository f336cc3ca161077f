// What was just done, told on the page that follows: `?done=…`, one of these words.
import { useSearchParams } from "@remix-run/react";
import { Banner } from "~/ui/banner";

const notes = {
  verified: ["Your address is confirmed", "Log in with it and your password."],
  "logged-out": ["You are logged out"],
  "logged-out-everywhere": ["You are logged out everywhere"],
  deleted: ["Your account is deleted", "We have sent a last mail that says so."],
  name: ["Your name is changed"],
  "email-asked": [
    "Look into the new mailbox",
    "The link in our mail makes the new address yours. It works for 24 hours.",
  ],
  email: ["Your address is changed", "You log in with the new one from now on."],
  password: ["Your password is changed", "All other sessions have ended."],
  session: ["The session has ended"],
  "merchant-renamed": ["The merchant is renamed"],
  "store-created": ["The store is created", "Its catalogue can be loaded now."],
  "store-saved": ["The store is saved", "Agents are told so from their next call on."],
  "person-added": ["They act for this merchant from now on", "We have told them by mail."],
  "person-removed": ["They no longer act for this merchant"],
  invited: ["The invitation is on its way", "The link in it works once, for 7 days."],
  "invitation-withdrawn": ["The invitation is withdrawn", "Its link works no longer."],
  settings: ["The settings are saved", "They hold from the next application and the next call on."],
  terms: ["The new version is published", "Keys are issued and rotated again once an owner accepts it."],
} as const satisfies Record<string, readonly [title: string, more?: string]>;

export type Note = keyof typeof notes;

/** The address of a page that tells of what was done. */
export const noted = (path: string, note: Note) => `${path}?done=${note}`;

export function DoneNote() {
  const note = useSearchParams()[0].get("done");
  if (note === null || !Object.hasOwn(notes, note)) return null;
  const [title, more]: readonly [string, string?] = notes[note as Note];
  return (
    <Banner title={title} tone={note === "email-asked" ? "accent" : "success"}>
      {more}
    </Banner>
  );
}
