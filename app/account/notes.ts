// What can be done to one's own account, as the page that follows tells it.
import type { Notes } from "~/ui/done-note";

/** What leads to the log-in. It stays there, for it says why one is asked. */
export const loginNotes = {
  verified: ["Your address is confirmed", "You can now log in."],
  email: ["Your address has been changed", "Log in with the new one from now on."],
  "logged-out": ["You are logged out"],
  "logged-out-everywhere": ["You are logged out everywhere"],
  deleted: ["Your account has been deleted", "We have emailed you a confirmation."],
} as const satisfies Notes;

export const notes = {
  name: ["Your name has been changed"],
  "email-asked": ["Check your new inbox", "Follow the link in our email to confirm the new address."],
  "email-withdrawn": ["The new address is withdrawn", "Its link no longer works."],
  email: loginNotes.email,
  password: ["Your password has been changed", "All other sessions have ended."],
  "second-factor-off": ["Two-factor authentication is off", "Your password alone logs you in."],
  session: ["The session has ended"],
  left: ["You have left", "You lose access from your next request."],
} as const satisfies Notes;

/** The address of a page that tells of what was done. */
export const noted = (path: string, note: keyof typeof loginNotes | keyof typeof notes) => `${path}?done=${note}`;
