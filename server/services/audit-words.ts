// What each act is called in words: the only list of acts there is, so that none is recorded without words for it.

/** By action, what follows the name of who did it. `{target}` stands for what it was done to, where that needs saying. */
export const words = {
  "account.change_email": "asked for another address",
  "account.change_name": "changed their name",
  "account.change_password": "changed their password",
  "account.confirm_email": "confirmed the new address of {target}",
  "account.delete": "deleted their account",
  "account.end_session": "ended one of their sessions",
  "account.end_sessions": "logged out everywhere",
  "account.log_in": "logged in as {target}",
  "account.log_out": "logged out",
  "account.request_reset": "asked for a new password of {target}",
  "account.resend_verification": "asked for another verification link for {target}",
  "account.reset_password": "chose a new password for {target}",
  "account.sign_up": "signed up as {target}",
  "account.verify": "confirmed the address of {target}",
  "application.edit": "changed the application of {target}",
  "application.submit": "applied for access with {target}",
  "audit.export": "exported the audit",
  "consumer.change": "changed the access of {target}",
  "consumer.revoke": "revoked the access of {target}",
  "demo.create": "set up the demo platform {target}",
  "feed.load": "loaded a catalogue into {target}",
  "inventory.replace": "replaced the inventory of {target}",
  "invitation.accept": "accepted the invitation to act for {target}",
  "invitation.send": "invited somebody to act for {target}",
  "invitation.withdraw": "withdrew an invitation to act for {target}",
  "key.issue": "issued the key {target}",
  "key.revoke": "revoked the key {target}",
  "key.rotate": "rotated a key: the new one is {target}",
  "loyalty.replace": "replaced the loyalty programmes of {target}",
  "merchant.add_member": "let somebody act for {target}",
  "merchant.create": "created the merchant {target}",
  "merchant.remove_member": "ended somebody's access to {target}",
  "merchant.rename": "renamed the merchant {target}",
  "operator.create": "made {target} an operator",
  "policies.replace": "replaced the policies of {target}",
  "production.request": "requested production access for {target}",
  "promotions.replace": "replaced the promotions of {target}",
  "settings.change": "changed the settings",
  "store.create": "created the store {target}",
  "store.edit": "changed the store {target}",
  "terms.accept": "accepted the data-use terms for {target}",
  "terms.publish": "published the data-use terms of {target}",
} as const satisfies Record<`${string}.${string}`, string>;

export type Action = keyof typeof words;
export const actions = Object.keys(words) as Action[];

/** What stands before an action's dot: all acts of one area are found together. */
export type Area = Action extends `${infer Noun}.${string}` ? Noun : never;
export const areas = [...new Set(actions.map((action) => action.split(".", 1)[0] as Area))];

/** The words of an action; one of an earlier release that is no longer recorded is shown as it was. */
export const wordsOf = (action: string): string =>
  Object.hasOwn(words, action) ? words[action as Action] : `did “${action}” to {target}`;
