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
