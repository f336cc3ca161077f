// What each act is called in words: the only list of acts there is, so that none is recorded without words for it.

/** By action, what follows the name of who did it. `{target}` stands for what it was done to, where that needs saying. */
export const words = {
  "account.begin_second_factor": "started to set up two-factor authentication",
  "account.change_email": "asked for another address",
  "account.change_name": "changed their name",
  "account.change_password": "changed their password",
  "account.confirm_email": "confirmed the new address of {target}",
  "account.delete": "deleted their account",
  "account.disable_second_factor": "turned off two-factor authentication",
  "account.enable_second_factor": "turned on two-factor authentication",
  "account.end_session": "ended one of their sessions",
  "account.end_sessions": "logged out everywhere",
  "account.log_in": "logged in as {target}",
  "account.log_out": "logged out",
  "account.remove_second_factor": "turned off two-factor authentication for {target}",
  "account.renew_recovery_codes": "made new recovery codes",
  "account.request_reset": "asked for a new password for {target}",
  "account.resend_verification": "asked for another verification link for {target}",
  "account.reset_password": "chose a new password for {target}",
  "account.revoke_sessions": "logged {target} out everywhere",
  "account.sign_up": "signed up as {target}",
  "account.take_data": "downloaded what is stored about them",
  "account.use_recovery_code": "used a recovery code of {target}",
  "account.verify": "confirmed the address of {target}",
  "account.withdraw_email": "no longer wants the other address",
  "agent.block": "blocked a platform from {target}",
  "agent.grant": "granted a platform access to {target}",
  "agent.unblock": "unblocked a platform for {target}",
  "agent.withdraw": "withdrew a platform's access to {target}",
  "application.approve": "approved the application of {target}",
  "application.edit": "changed the application of {target}",
  "application.reject": "rejected {target}, or revoked its access",
  "application.submit": "applied for access with {target}",
  "audit.export": "exported the audit log",
  "consumer.change": "changed the access of {target}",
  "consumer.restore": "restored {target} as it was",
  "consumer.revoke": "revoked the access of {target}",
  "demo.create": "set up the demo platform {target}",
  "demo.renew": "moved on the dates of promotions and deliveries of {target}",
  "digest.change": "changed the digest of {target}, or who gets it",
  "digest.unsubscribe": "unsubscribed someone from the digest of {target}",
  "doctor.open": "started a client check",
  "feed.fetch": "had the catalogue of {target} fetched",
  "feed.load": "loaded a catalogue into {target}, or refused it",
  "feed.restore": "restored an earlier catalogue of {target}",
  "feed.source.fetch": "asked for the catalogue of {target} to be fetched",
  "feed.source.off": "gave up fetching the catalogue of {target}",
  "feed.source.remove": "removed the address of the catalogue of {target}",
  "feed.source.set": "set the address that the catalogue of {target} is fetched from",
  "feed.upload": "uploaded a catalogue for {target}",
  "inventory.replace": "replaced the inventory of {target}",
  "invitation.accept": "accepted the invitation to act for {target}",
  "invitation.send": "invited someone to act for {target}",
  "invitation.withdraw": "withdrew an invitation to act for {target}",
  "key.issue": "issued the key {target}",
  "key.revoke": "revoked the key {target}",
  "key.revoke_leaked": "revoked the key {target}, which was found in public",
  "key.rotate": "rotated a key: the new one is {target}",
  "loyalty.change": "changed a loyalty programme of {target}",
  "loyalty.create": "added a loyalty programme to {target}",
  "loyalty.remove": "removed a loyalty programme of {target}",
  "loyalty.replace": "replaced the loyalty programmes of {target}",
  "member.add": "added someone to {target}",
  "member.change_role": "changed someone's role for {target}",
  "member.leave": "left {target}",
  "member.remove": "removed someone from {target}",
  "member.renew": "renewed a reviewer's access to {target}",
  "merchant.add_member": "let someone act for {target}",
  "merchant.create": "created the merchant {target}",
  "merchant.leave": "stopped acting for {target}",
  "merchant.remove_member": "removed someone from {target}",
  "merchant.rename": "renamed the merchant {target}",
  "operator.create": "made {target} an operator",
  "operator.remove": "removed {target} as an operator",
  "policies.replace": "replaced the policies of {target}",
  "policy.change": "changed a policy of {target}",
  "policy.create": "added a policy to {target}",
  "policy.remove": "removed a policy of {target}",
  "product.exclude": "excluded a product of {target}",
  "product.include": "included a product of {target} again",
  "production.approve": "took {target} to production",
  "production.decline": "declined production access for {target}",
  "production.request": "requested production access for {target}",
  "promotion.change": "changed a promotion of {target}",
  "promotion.create": "added a promotion to {target}",
  "promotion.end": "ended a promotion of {target}",
  "promotion.remove": "removed a promotion of {target}",
  "promotions.replace": "replaced the promotions of {target}",
  "settings.change": "changed the settings",
  "store.create": "created the store {target}",
  "store.details": "changed what {target} tells shoppers",
  "store.discovery": "switched AI Discovery for {target}",
  "store.edit": "changed the store {target}",
  "terms.accept": "accepted the data-use terms for {target}",
  "terms.publish": "published the data-use terms of {target}",
} as const satisfies Record<`${string}.${string}`, string>;

export type Action = keyof typeof words;
export const actions = Object.keys(words) as Action[];

/** What stands before an action's dot: all acts of one area are found together. */
type Area = Action extends `${infer Noun}.${string}` ? Noun : never;
export const areas = [...new Set(actions.map((action) => action.split(".", 1)[0] as Area))];

/** What acts are done to: the only list of kinds there is, so that none is recorded that the filter lacks. */
export const targetKinds = [
  "account",
  "audit",
  "consumer",
  "doctor_check",
  "key",
  "merchant",
  "settings",
  "store",
  "terms",
] as const;
export type TargetKind = (typeof targetKinds)[number];

/** The words of an action; one of an earlier release that is no longer recorded is shown as it was. */
export const wordsOf = (action: string): string =>
  Object.hasOwn(words, action) ? words[action as Action] : `did “${action}” to {target}`;

/** The words of one act: a platform under review had no access that could be revoked, and of a refused file nothing is loaded. */
export function wordsOfAct({ action, before, after }: { action: string; before: unknown; after: unknown }): string {
  if (action === "feed.load") {
    const { outcome } = { ...(after as { outcome?: unknown } | null) };
    return outcome === "refused" ? "refused a catalogue for {target}" : "loaded a catalogue into {target}";
  }
  const { taken } = { ...(after as { taken?: unknown } | null) };
  if (action === "account.sign_up" && taken) return "tried to sign up with the address of {target}";
  const { state } = { ...(before as { state?: unknown } | null) };
  if (action === "consumer.revoke" && state === "under_review")
    return "left as the last owner, which ended the application of {target}";
  if (action !== "application.reject") return wordsOf(action);
  return state === "under_review" ? "rejected the application of {target}" : "revoked the access of {target}";
}

const standIns: Partial<Record<string, string>> = {
  anonymous: "A visitor",
  consumer: "A deleted platform",
  system: "The service",
};

/** Who did it, where no name is left or there never was one: the same words wherever acts are told. */
export const namelessActor = (kind: string, id: string | null): string =>
  standIns[kind] ?? (kind === "operator" && id === null ? "The command line" : "A deleted account");
