// What our mails say: each template's words, and where its links lead.
import { type Content, layOut, type Rendered } from "./mail-layout";

/** To a person of a platform. */
interface Platform {
  name: string;
  consumerId: string;
  productName: string;
}

/** A key of a platform. `shown`: its first and last characters. */
interface IssuedKey {
  consumerId: string;
  productName: string;
  name: string;
  shown: string;
}

/** One that was revoked. `again`: the first and last characters of the one before it, which is active again. */
interface EndedKey extends IssuedKey {
  again?: string | undefined;
}

/** What each template needs to know. Tokens are secrets: the outbox forgets them once the mail is sent. */
export interface TemplateData {
  verify: { token: string };
  "address-taken": Record<never, never>;
  reset: { token: string };
  "password-changed": Record<never, never>;
  "second-factor-on": Record<never, never>;
  "second-factor-off": Record<never, never>;
  "recovery-codes-renewed": Record<never, never>;
  /** `left`: how many there still are. */
  "recovery-code-used": { left: number };
  "wrong-codes": Record<never, never>;
  "email-change-confirm": { token: string };
  /** `at`: ISO 8601. */
  "email-change-asked": { at: string };
  "email-changed-notice": Record<never, never>;
  "application-received": Platform;
  "application-approved": Platform;
  "application-declined": Platform & { reason: string };
  "application-restored": Platform;
  "production-approved": Platform;
  "production-declined": Platform & { reason: string };
  "access-revoked": Platform & { reason: string };
  "access-restored": Platform;
  "member-added": Platform & { role: string };
  "account-deleted": Record<never, never>;
  "merchant-digest": {
    merchantId: string;
    merchant: string;
    /** Platforms that went live and can read a store, newest first: names, and the slugs that their page goes by. */
    platforms: { name: string; slug: string; store: string; storeSlug: string }[];
    /** How many more there are. */
    more: number;
    unsubscribeToken: string;
  };
  invitation: { token: string; merchant: string };
  "merchant-joined": { merchantId: string; merchant: string };
  /** `where` it was found: another site's address, shown but never linked. */
  "key-leaked": EndedKey & { where: string };
  /** By an operator, as well as `key-revoked`. */
  "key-issued": IssuedKey;
  "key-revoked": EndedKey;
  /** Never none, the next to expire first. `at`: ISO 8601. */
  "keys-expiring": {
    consumerId: string;
    productName: string;
    keys: { name: string; shown: string; at: string }[];
  };
  "feed-source-off": { merchantId: string; storeId: string; store: string; reason: string };
}
export type Template = keyof TemplateData;

// Who has several of them may look at another one just now.
const ofPlatform = (consumerId: string, redirectTo: string) => `/console/switch?${query({ consumerId, redirectTo })}`;
const ofMerchant = (merchantId: string, redirectTo: string) => `/merchant/switch?${query({ merchantId, redirectTo })}`;
const query = (values: Record<string, string>) => new URLSearchParams(values).toString().replaceAll("%2F", "/");

/** Where links lead; the pages' own routes. */
const paths = {
  verify: (token: string) => `/verify?token=${token}`,
  reset: (token: string) => `/reset?token=${token}`,
  confirmEmail: (token: string) => `/confirm-email?token=${token}`,
  logIn: "/login",
  secondFactor: "/account/two-factor",
  forgot: "/forgot",
  overview: (consumerId: string) => ofPlatform(consumerId, "/console"),
  keys: (consumerId: string) => ofPlatform(consumerId, "/console/keys"),
  agent: (merchantId: string, slug: string, store: string) =>
    ofMerchant(merchantId, `/merchant/agents/${slug}?store=${store}`),
  notifications: (merchantId: string) => ofMerchant(merchantId, "/merchant/notifications"),
  unsubscribe: (token: string) => `/unsubscribe?token=${token}`,
  invitation: (token: string) => `/invitation?token=${token}`,
  merchant: (merchantId: string) => ofMerchant(merchantId, "/merchant"),
  catalogue: (merchantId: string, storeId: string) => ofMerchant(merchantId, `/merchant/catalogue/${storeId}`),
};

/** Of ISO 8601, to the minute. */
const day = (at: string) => at.slice(0, 10);
const moment = (at: string) => `${day(at)} at ${at.slice(11, 16)} UTC`;

/** The key whose place a revoked one had taken: it counts again, so that there may be no room for another. */
const activeAgain = (shown: string | undefined) =>
  shown ? [`The key before it (${shown}), which still works, is the active one again.`] : [];

const toOwner = "You get this mail because you own the platform at Aisle.";

const notYou = "If it was not you, answer this mail at once.";

const templates: { [T in Template]: (data: TemplateData[T]) => Content } = {
  verify: ({ token }) => ({
    subject: "Confirm your address for Aisle",
    paragraphs: [
      "Somebody, hopefully you, signed up for Aisle with this address. Confirm it to finish: the link leads to a button.",
    ],
    action: { label: "Confirm this address", path: paths.verify(token) },
    notes: ["The link works once, for 24 hours.", "If you did not sign up, do nothing: without you nobody can log in."],
  }),
  "address-taken": () => ({
    subject: "You have an Aisle account already",
    paragraphs: [
      "Somebody, perhaps you, wanted to use this address for an Aisle account. There is one already, so nothing was changed.",
      "Log in with the password you have, or choose a new one at the log-in page.",
    ],
    action: { label: "Log in", path: paths.logIn },
    notes: ["If it was not you, you need not do anything."],
  }),
  reset: ({ token }) => ({
    subject: "Choose a new password for Aisle",
    paragraphs: [
      "A new password was asked for the Aisle account with this address. Until you choose one, the old one holds.",
    ],
    action: { label: "Choose a new password", path: paths.reset(token) },
    notes: [
      "The link works once, for 1 hour. A new password logs the account out everywhere.",
      "If you did not ask for it, do nothing.",
    ],
  }),
  "password-changed": () => ({
    subject: "Your Aisle password was changed",
    paragraphs: ["The password of your Aisle account was changed, and the account was logged out everywhere else."],
    action: { label: "It was not me: choose a new password", path: paths.forgot },
  }),
  "second-factor-on": () => ({
    subject: "Two-factor authentication is on for your Aisle account",
    paragraphs: [
      "Logging in to your Aisle account asks for a code of your authenticator app from now on, and the account was logged out everywhere else.",
      "Keep your recovery codes where you find them without your phone: each lets you in once.",
    ],
    action: { label: "It was not me: choose a new password", path: paths.forgot },
    notes: ["If it was not you, answer this mail as well: somebody else's app guards your account."],
  }),
  "second-factor-off": () => ({
    subject: "Two-factor authentication is off for your Aisle account",
    paragraphs: ["Your Aisle account asks for no code any more: its password lets in alone."],
    action: { label: "It was not me: choose a new password", path: paths.forgot },
  }),
  "recovery-codes-renewed": () => ({
    subject: "Your Aisle account has new recovery codes",
    paragraphs: ["New recovery codes were made for your Aisle account. Those of before work no longer."],
    action: { label: "It was not me: choose a new password", path: paths.forgot },
  }),
  "recovery-code-used": ({ left }) => ({
    subject: "A recovery code of your Aisle account was used",
    paragraphs: [
      `One of the recovery codes of your Aisle account was used in the place of your app's code, after the right password. ${left === 0 ? "It was the last one." : left === 1 ? "One is left." : `${left} are left.`}`,
      "If you have another phone, turn two-factor authentication off and on again, so that its app has the secret. If you have lost the codes, make new ones.",
    ],
    action: { label: "Open two-factor authentication", path: paths.secondFactor },
    notes: [`If it was not you, choose a new password at once, and answer this mail.`],
  }),
  "wrong-codes": () => ({
    subject: "Somebody knows the password of your Aisle account",
    paragraphs: [
      "Your password was given several times, each time with a wrong code, so nobody got in. If that was you, look at the clock of your phone: it must be right.",
      "If it was not, choose a new password now: without it nobody is even asked for a code.",
    ],
    action: { label: "It was not me: choose a new password", path: paths.forgot },
  }),
  "email-change-confirm": ({ token }) => ({
    subject: "Confirm your new address for Aisle",
    paragraphs: ["This address is to become the one of an Aisle account. Until it is confirmed, the old one stays."],
    action: { label: "Confirm this address", path: paths.confirmEmail(token) },
    notes: ["The link works once, for 24 hours.", "If you did not ask for it, do nothing."],
  }),
  "email-change-asked": ({ at }) => ({
    subject: "Another address was asked for your Aisle account",
    paragraphs: [
      `On ${moment(at)} somebody who was logged in to your Aisle account, and knew its password, asked for another address. Until the link that we sent there is followed, this one stays.`,
      "If it was not you, choose a new password now: the link is void then, and the account is logged out everywhere.",
    ],
    action: { label: "It was not me: choose a new password", path: paths.forgot },
    notes: ["If it was you, do nothing here: follow the link in the other mail."],
  }),
  "email-changed-notice": () => ({
    subject: "The address of your Aisle account was changed",
    paragraphs: ["Your Aisle account has a new address, so this is the last mail that we send here.", notYou],
  }),
  "application-received": ({ consumerId, name, productName }) => ({
    subject: "We have your application",
    paragraphs: [
      `Hello ${name},`,
      `thank you for applying with ${productName}. An operator will look at it; until then you may change what you wrote, and Overview says that it is under review.`,
    ],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "application-approved": ({ consumerId, name, productName }) => ({
    subject: "Your application was approved",
    paragraphs: [
      `Hello ${name},`,
      `${productName} may call Aisle's tools. Overview shows your access and your limits; keys are issued on the Keys page.`,
    ],
    action: { label: "Open the Keys page", path: paths.keys(consumerId) },
  }),
  "application-declined": ({ consumerId, name, productName, reason }) => ({
    subject: "About your application",
    paragraphs: [`Hello ${name},`, `your application for ${productName} was rejected.`, `The reason given: ${reason}`],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "application-restored": ({ consumerId, name, productName }) => ({
    subject: "Your application is under review again",
    paragraphs: [
      `Hello ${name},`,
      `the application of ${productName} was restored. An operator will look at it; until then you may change what you wrote.`,
    ],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "production-approved": ({ consumerId, name, productName }) => ({
    subject: "Your platform is in production",
    paragraphs: [
      `Hello ${name},`,
      `${productName} has production access. Its keys keep working, and from now on read the stores of its coverage.`,
    ],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "production-declined": ({ consumerId, name, productName, reason }) => ({
    subject: "About your request for production access",
    paragraphs: [
      `Hello ${name},`,
      `production access for ${productName} was declined for now. The sandbox keeps working, and an owner may ask again.`,
      `The reason given: ${reason}`,
    ],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "access-revoked": ({ consumerId, name, productName, reason }) => ({
    subject: "Access to Aisle was revoked",
    paragraphs: [
      `Hello ${name},`,
      `the access of ${productName} was revoked: every key is refused from now on.`,
      `The reason given: ${reason}`,
    ],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "access-restored": ({ consumerId, name, productName }) => ({
    subject: "Access to Aisle was restored",
    paragraphs: [`Hello ${name},`, `${productName} has its access again, as it was before. Its keys work.`],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "member-added": ({ consumerId, name, productName, role }) => ({
    subject: "You can see a platform on Aisle",
    paragraphs: [`Hello ${name},`, `you were made a ${role} of ${productName}.`],
    action: { label: "Open Overview", path: paths.overview(consumerId) },
  }),
  "feed-source-off": ({ merchantId, storeId, store, reason }) => ({
    subject: `The feed of ${store} is no longer fetched`,
    paragraphs: [
      `The daily feed of ${store} could not be used several times in a row, so it is not fetched any more. The catalogue stays as it was.`,
      `What went wrong the last time: ${reason}`,
    ],
    action: { label: "Look at the catalogue", path: paths.catalogue(merchantId, storeId) },
    notes: ["Once it is mended, fetch it there, and it goes on daily."],
  }),
  "account-deleted": () => ({
    subject: "Your Aisle account was deleted",
    paragraphs: ["Your Aisle account is deleted, and with it your name, this address and your sessions.", notYou],
  }),
  "merchant-digest": ({ merchantId, merchant, platforms, more, unsubscribeToken }) => {
    const count = platforms.length + more;
    const total = new Set(platforms.map(({ slug }) => slug)).size;
    const subject =
      more === 0 && total === 1
        ? `${platforms[0]!.name} can read ${count === 1 ? platforms[0]!.store : `your ${count} stores`}`
        : `${count} new readers of your stores`;
    return {
      subject,
      paragraphs: [
        `Since the last mail, these AI platforms went live and can read stores of ${merchant}. Their page shows what they read; there you can block them.`,
      ],
      items: platforms.map(({ name, slug, store, storeSlug }) => ({
        label: `${name} reads ${store}`,
        path: paths.agent(merchantId, slug, storeSlug),
      })),
      action: {
        label: more > 0 ? `See these and ${more} more` : "Open the notifications",
        path: paths.notifications(merchantId),
      },
      notes: [`You get this mail because you look after ${merchant} at Aisle.`],
      unsubscribePath: paths.unsubscribe(unsubscribeToken),
    };
  },
  "key-leaked": ({ consumerId, productName, name, shown, where, again }) => ({
    subject: `A key of ${productName} was found in public and is revoked`,
    paragraphs: [
      `GitHub found the key “${name}” (${shown}) of ${productName} where everybody can read it, so it is revoked: calls with it are refused from now on.`,
      ...(where ? [`It was found at ${where.replace(/^https?:\/\//, "")}`] : []),
      ...activeAgain(again),
      `${again ? "Rotate that one" : "Issue another key"}, put the new one where your agent reads its secrets, and take the one that was found out of what is public. It stays in the history of a repository; as it no longer works, it may.`,
    ],
    action: { label: "Open Keys", path: paths.keys(consumerId) },
    notes: [toOwner],
  }),
  "key-issued": ({ consumerId, productName, name, shown }) => ({
    subject: `An operator issued a key of ${productName}`,
    paragraphs: [
      `An operator of Aisle issued the key “${name}” (${shown}) of ${productName}. Whoever has its value calls as ${productName} does, and it counts among the keys that you may have.`,
      "If you know what it is for, there is nothing to do. If you do not, revoke it under Keys, and answer this mail.",
    ],
    action: { label: "Open Keys", path: paths.keys(consumerId) },
    notes: [toOwner],
  }),
  "key-revoked": ({ consumerId, productName, name, shown, again }) => ({
    subject: `An operator revoked a key of ${productName}`,
    paragraphs: [
      `An operator of Aisle revoked the key “${name}” (${shown}) of ${productName}: calls with it are refused from now on.`,
      ...activeAgain(again),
      `If your agent still calls with it, ${again ? "rotate that one" : "issue another key"} and put the new one where your agent reads its secrets. If you do not know why it was revoked, answer this mail.`,
    ],
    action: { label: "Open Keys", path: paths.keys(consumerId) },
    notes: [toOwner],
  }),
  "keys-expiring": ({ consumerId, productName, keys }) => {
    const [next, ...more] = keys;
    const lines = keys.map(({ name, shown, at }) => `“${name}” (${shown}) expires on ${moment(at)}.`);
    return {
      subject:
        more.length === 0
          ? `A key of ${productName} expires on ${day(next!.at)}`
          : `${keys.length} keys of ${productName} expire, the first on ${day(next!.at)}`,
      paragraphs: [
        more.length === 0
          ? `A key of ${productName} that is still used expires soon:`
          : `${keys.length} keys of ${productName} that are still used expire soon:`,
        ...lines,
        `From then on calls with ${more.length === 0 ? "it" : "them"} are refused.`,
        "An expiry cannot be changed, and rotating a key keeps it. So issue another key, put it where your agent reads its secrets, and once the old one is no longer used, revoke it.",
      ],
      action: { label: "Open Keys", path: paths.keys(consumerId) },
      notes: ["If no key can be issued at the moment, Keys says why.", toOwner],
    };
  },
  invitation: ({ token, merchant }) => ({
    subject: `You are invited to act for ${merchant} on Aisle`,
    paragraphs: [
      `${merchant} decides on Aisle which AI agents may read its stores. You are invited to decide with it: load the catalogue, block or grant platforms, see what they read.`,
      "Log in with this address, or create an account with it, then accept.",
    ],
    action: { label: "Look at the invitation", path: paths.invitation(token) },
    notes: ["The link works once, for 7 days.", "If it means nothing to you, do nothing."],
  }),
  "merchant-joined": ({ merchantId, merchant }) => ({
    subject: `You act for ${merchant} on Aisle now`,
    paragraphs: [
      `An operator of Aisle has let your account act for ${merchant}: its stores, which AI agents may read them, its catalogue.`,
    ],
    action: { label: "Open its stores", path: paths.merchant(merchantId) },
    notes: ["If you did not expect this, answer this mail."],
  }),
};

/** @param baseUrl where the public reaches us: every link begins with it */
export const render = <T extends Template>(template: T, data: TemplateData[T], baseUrl: string): Rendered =>
  layOut(templates[template](data), baseUrl);
