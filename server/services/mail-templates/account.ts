// Mails about a person's own account. Tokens are secrets: the outbox forgets them once the mail is sent.
import { type Content, moment } from "../mail-layout";

export interface AccountMails {
  verify: { token: string };
  "address-taken": Record<never, never>;
  reset: { token: string };
  "password-changed": Record<never, never>;
  "second-factor-on": Record<never, never>;
  /** `byOperator`: for who has lost app and recovery codes. */
  "second-factor-off": { byOperator?: true };
  "recovery-codes-renewed": Record<never, never>;
  /** `left`: how many there still are. */
  "recovery-code-used": { left: number };
  "wrong-codes": Record<never, never>;
  "email-change-confirm": { token: string };
  /** `at`: ISO 8601. */
  "email-change-asked": { at: string };
  "email-changed-notice": Record<never, never>;
  "account-deleted": Record<never, never>;
}

/** Whoever else got in is shut out by a new password. */
const notMe = { label: "It was not me: choose a new password", path: "/forgot" };
const replyIfNotYou = "If this was not you, reply to this email right away.";

export const accountTemplates: { [T in keyof AccountMails]: (data: AccountMails[T]) => Content } = {
  verify: ({ token }) => ({
    subject: "Confirm your address for Aisle",
    paragraphs: [
      "Someone, hopefully you, signed up for Aisle with this address. Open the link below and confirm the address to finish.",
    ],
    action: { label: "Confirm this address", path: `/verify?token=${token}` },
    notes: [
      "The link works once, for 24 hours.",
      "If you did not sign up, you can ignore this email: no one can log in without your confirmation.",
    ],
  }),
  "address-taken": () => ({
    subject: "You already have an Aisle account",
    paragraphs: [
      "Someone, perhaps you, tried to use this address for an Aisle account. It already has one, so nothing was changed.",
      "Log in with your password, or reset it from the login page.",
    ],
    action: { label: "Log in", path: "/login" },
    notes: ["If this was not you, you can ignore this email."],
  }),
  reset: ({ token }) => ({
    subject: "Choose a new password for Aisle",
    paragraphs: [
      "A new password was requested for the Aisle account with this address. Until you choose one, the old one keeps working.",
    ],
    action: { label: "Choose a new password", path: `/reset?token=${token}` },
    notes: [
      "The link works once, for 1 hour. A new password logs the account out everywhere.",
      "If you did not request it, you can ignore this email.",
    ],
  }),
  "password-changed": () => ({
    subject: "Your Aisle password was changed",
    paragraphs: ["The password of your Aisle account was changed, and the account was logged out everywhere else."],
    action: notMe,
  }),
  "second-factor-on": () => ({
    subject: "Two-factor authentication is on for your Aisle account",
    paragraphs: [
      "From now on, logging in to your Aisle account also asks for a code from your authenticator app. The account was logged out everywhere else.",
      "Keep your recovery codes somewhere you can reach without your phone: each one logs you in once.",
    ],
    action: notMe,
    notes: ["If this was not you, also reply to this email: someone else's app now protects your account."],
  }),
  "second-factor-off": ({ byOperator }) => ({
    subject: "Two-factor authentication is off for your Aisle account",
    paragraphs: byOperator
      ? [
          "An Aisle operator turned off two-factor authentication for your account, as for someone who has lost their authenticator app and recovery codes. The account was logged out everywhere, and your password alone logs you in.",
          "Set it up again once you are back in.",
        ]
      : ["Your Aisle account no longer asks for a code: your password alone logs you in."],
    action: notMe,
    ...(byOperator && { notes: ["If you did not ask for this, also reply to this email right away."] }),
  }),
  "recovery-codes-renewed": () => ({
    subject: "Your Aisle account has new recovery codes",
    paragraphs: ["New recovery codes were made for your Aisle account. The previous ones no longer work."],
    action: notMe,
  }),
  "recovery-code-used": ({ left }) => ({
    subject: "A recovery code of your Aisle account was used",
    paragraphs: [
      `A recovery code was used to log in to your Aisle account, in place of a code from your app and after the right password. ${left === 0 ? "It was the last one." : left === 1 ? "One is left." : `${left} are left.`}`,
      "If you have a new phone, turn two-factor authentication off and on again to set up its app. If you have lost the codes, make new ones.",
    ],
    action: { label: "Open two-factor authentication", path: "/account/two-factor" },
    notes: ["If this was not you, choose a new password right away and reply to this email."],
  }),
  "wrong-codes": () => ({
    subject: "Someone knows the password of your Aisle account",
    paragraphs: [
      "Your password was entered several times, each time with a wrong code, so no one got in. If this was you, check that your phone's clock is right.",
      "If it was not, choose a new password now: without the password, no one even gets as far as the code.",
    ],
    action: notMe,
  }),
  "email-change-confirm": ({ token }) => ({
    subject: "Confirm your new address for Aisle",
    paragraphs: [
      "This address is to become the address of an Aisle account. Until you confirm that, logged in to the account or with its password, the old one stays.",
    ],
    action: { label: "Confirm the change of address", path: `/confirm-email?token=${token}` },
    notes: [
      "The link works once, for 24 hours.",
      "If you did not request it, you can ignore this email. It has nothing to do with signing up.",
    ],
  }),
  "email-change-asked": ({ at }) => ({
    subject: "Another address was requested for your Aisle account",
    paragraphs: [
      `On ${moment(at)}, someone who was logged in to your Aisle account and knew its password requested another address. Until the link we sent there is followed, this one stays.`,
      "If this was not you, choose a new password now: that voids the link and logs the account out everywhere.",
    ],
    action: notMe,
    notes: ["If this was you, there is nothing to do here: follow the link in the other email."],
  }),
  "email-changed-notice": () => ({
    subject: "The address of your Aisle account was changed",
    paragraphs: ["Your Aisle account has a new address, so this is the last email we send to this one.", replyIfNotYou],
  }),
  "account-deleted": () => ({
    subject: "Your Aisle account was deleted",
    paragraphs: [
      "Your Aisle account has been deleted, along with your name, this address and your sessions.",
      replyIfNotYou,
    ],
  }),
};
