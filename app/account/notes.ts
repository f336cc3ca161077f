// What can be done to one's own account, as the page that follows tells it.
import type { Notes } from "~/ui/done-note";

/** What leads to the log-in. It stays there, for it says why one is asked. */
export const loginNotes = {
  verified: ["Your address is confirmed", "Log in with it and your password."],
  "logged-out": ["You are logged out"],
  "logged-out-everywhere": ["You are logged out everywhere"],
  deleted: ["Your account is deleted", "We have sent a last mail that says so."],
} as const satisfies Notes;

export const notes = {
  name: ["Your name is changed"],
  "email-asked": ["Look into the new mailbox", "The link in our mail makes the new address yours."],
  email: ["Your address is changed", "You log in with the new one from now on."],
  password: ["Your password is changed", "All other sessions have ended."],
  "second-factor-off": ["Two-factor authentication is off", "Your password lets in alone."],
  session: ["The session has ended"],
} as const satisfies Notes;

/** The address of a page that tells of what was done. */
export const noted = (path: string, note: keyof typeof loginNotes | keyof typeof notes) => `${path}?done=${note}`;
