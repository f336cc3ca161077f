// Mails to the people of a platform: its application, its access, its members and its keys.
import { type Content, day, linkTo, moment } from "../mail-layout";

interface Platform {
  name: string;
  consumerId: string;
  productName: string;
}

/** One that may call. `terms`: the version in force, if it has not been accepted. */
interface Admitted extends Platform {
  terms?: string | undefined;
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
  /** Of the platform: without access no key of it works. */
  state?: string;
  again?: string | undefined;
}

export interface PlatformMails {
  "application-received": Platform;
  "application-approved": Admitted;
  "application-declined": Platform & { reason: string };
  "application-restored": Platform;
  /** `keys`: how many of them work. */
  "production-approved": Admitted & { keys?: number };
  "production-declined": Platform & { reason: string };
  /** Production → sandbox. */
  "production-ended": Platform & { keys?: number };
  "access-revoked": Platform & { reason: string };
  /** `tier`: the one that came back. */
  "access-restored": Admitted & { keys?: number; tier?: string };
  /** `until`: when a reviewer's access ends, ISO 8601. */
  "member-added": Platform & { role: string; until?: string };
  "member-role-changed": Platform & { role: string; until?: string };
  "member-renewed": Platform & { until: string };
  "member-removed": Platform;
  /** To the owners who remain, of one who left or has another role. It names nobody: an account that is deleted leaves no name behind. */
  "owner-left": Platform & { state?: string | null };
  /** To every owner: `version` of the data-use terms is in force. */
  "terms-published": Platform & { version: string; state?: string };
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
}

// Who has several platforms may look at another one just now.
const pageOf = (consumerId: string, redirectTo: string) => linkTo("/console/switch", { consumerId, redirectTo });
const openOverview = (consumerId: string) => ({ label: "Open Overview", path: pageOf(consumerId, "/console") });
const openKeys = (consumerId: string) => ({ label: "Open Keys", path: pageOf(consumerId, "/console/keys") });

const termsWait = (terms: string | undefined) =>
  terms
    ? [
        `Version ${terms} of the data-use terms is in force: keys are issued and rotated once an owner accepts it on Overview.`,
      ]
    : [];

const roleOf = (role: string, until: string | undefined) =>
  `${role === "owner" ? "an" : "a"} ${role}${until ? `, until ${moment(until)}` : ""}`;

/** What becomes of calls with a key that was revoked. */
const refused = (state: string | undefined) =>
  state === "revoked"
    ? "it stays refused, also if the platform gets its access back"
    : "calls with it are refused from now on";
/** The key whose place a revoked one had taken: it counts again, so that there may be no room for another. */
const activeAgain = (shown: string | undefined) =>
  shown ? [`The key before it (${shown}) still works and is the active one again.`] : [];

/** What came back. It may be told here first: an approval's mail that waits is withdrawn when access is revoked. */
function accessBack({ productName, keys, tier }: PlatformMails["access-restored"]): string {
  const isLive = tier === "production";
  const where = isLive ? "in production as before" : tier ? "in the sandbox as before" : "as it was before";
  const works =
    keys === 0
      ? `It has no key that works: issue one on the Keys page${isLive ? ", to read the stores in its coverage" : ""}.`
      : `Its keys work again${isLive ? ", and can read the stores in its coverage" : ""}.`;
  return `${productName} has its access back, ${where}. ${works}`;
}

/** What to do of the keys that an owner who left may know. */
const keysKnown = (state: string | null | undefined) =>
  state === "revoked"
    ? "Whoever issues a key is shown its value. The platform has no access, so every key is refused. If that person should not be able to call once it has its access back, revoke the keys they may know before then."
    : "Whoever issues a key is shown its value. If that person should not be able to call any more, rotate the keys they may know.";

/** As Overview says of a platform without access. */
const askAgain = "Once the reason no longer holds, reply to this email and ask an operator to look again.";
const toOwner = "You are receiving this email because you own the platform on Aisle.";

export const platformTemplates: { [T in keyof PlatformMails]: (data: PlatformMails[T]) => Content } = {
  "application-received": ({ consumerId, name, productName }) => ({
    subject: "We have your application",
    paragraphs: [
      `Hello ${name},`,
      `Thank you for applying with ${productName}. An operator will review your application. Until then you can edit it, and Overview shows it as under review.`,
    ],
    action: openOverview(consumerId),
  }),
  "application-approved": ({ consumerId, name, productName, terms }) => ({
    subject: "Your application was approved",
    paragraphs: [
      `Hello ${name},`,
      `${productName} can now call Aisle's tools. Overview shows your access and limits${terms ? "" : "; you can issue keys on the Keys page"}.`,
      ...termsWait(terms),
    ],
    action: terms ? openOverview(consumerId) : openKeys(consumerId),
  }),
  "application-declined": ({ consumerId, name, productName, reason }) => ({
    subject: "About your application",
    paragraphs: [`Hello ${name},`, `Your application for ${productName} was rejected.`, `Reason: ${reason}`],
    action: openOverview(consumerId),
    notes: [askAgain],
  }),
  "application-restored": ({ consumerId, name, productName }) => ({
    subject: "Your application is under review again",
    paragraphs: [
      `Hello ${name},`,
      `Your application for ${productName} was restored. An operator will review it; until then you can edit it.`,
    ],
    action: openOverview(consumerId),
  }),
  "production-approved": ({ consumerId, name, productName, keys, terms }) => ({
    subject: "Your platform is in production",
    paragraphs: [
      `Hello ${name},`,
      `${productName} now has production access. ${keys === 0 ? "It has no key that works: issue one on the Keys page, to read the stores in its coverage." : "Its keys keep working, and can now read the stores in its coverage."}`,
      ...termsWait(terms),
    ],
    action: keys === 0 && !terms ? openKeys(consumerId) : openOverview(consumerId),
  }),
  "production-declined": ({ consumerId, name, productName, reason }) => ({
    subject: "About your request for production access",
    paragraphs: [
      `Hello ${name},`,
      `Production access for ${productName} was declined for now. Its access to the sandbox stays as it is; while it has that, an owner may ask again.`,
      `Reason: ${reason}`,
    ],
    action: openOverview(consumerId),
  }),
  "production-ended": ({ consumerId, name, productName, keys }) => ({
    subject: "Your platform is in the sandbox again",
    paragraphs: [
      `Hello ${name},`,
      `${productName} no longer has production access. ${keys === 0 ? "It has no key that works; one that is issued from now on reads no merchant's store." : "Its keys keep working, in sandbox: from now on they read no merchant's store."} An owner may ask for production access again.`,
    ],
    action: openOverview(consumerId),
    notes: ["If you were not expecting this, reply to this email."],
  }),
  "access-revoked": ({ consumerId, name, productName, reason }) => ({
    subject: "Access to Aisle was revoked",
    paragraphs: [
      `Hello ${name},`,
      `Access for ${productName} was revoked: every key is refused from now on.`,
      `Reason: ${reason}`,
    ],
    action: openOverview(consumerId),
    notes: [askAgain],
  }),
  "access-restored": (data) => ({
    subject: "Access to Aisle was restored",
    paragraphs: [`Hello ${data.name},`, accessBack(data), ...termsWait(data.terms)],
    action: data.keys === 0 && !data.terms ? openKeys(data.consumerId) : openOverview(data.consumerId),
  }),
  "member-added": ({ consumerId, name, productName, role, until }) => ({
    subject: "You were added to a platform on Aisle",
    paragraphs: [`Hello ${name},`, `You now have access to ${productName} as ${roleOf(role, until)}.`],
    action: openOverview(consumerId),
  }),
  "member-role-changed": ({ consumerId, name, productName, role, until }) => ({
    subject: `Your role for ${productName} on Aisle was changed`,
    paragraphs: [
      `Hello ${name},`,
      `An Aisle operator has changed your role: you now have access to ${productName} as ${roleOf(role, until)}.`,
    ],
    action: openOverview(consumerId),
    notes: ["If you were not expecting this, reply to this email."],
  }),
  "member-renewed": ({ consumerId, name, productName, until }) => ({
    subject: `Your access to ${productName} on Aisle was renewed`,
    paragraphs: [`Hello ${name},`, `You have access to ${productName} as a reviewer until ${moment(until)}.`],
    action: openOverview(consumerId),
  }),
  "member-removed": ({ name, productName }) => ({
    subject: `You no longer have access to ${productName} on Aisle`,
    paragraphs: [
      `Hello ${name},`,
      `An Aisle operator has removed you from ${productName}. You can no longer see its keys, its usage or what it may read.`,
    ],
    notes: ["If you were not expecting this, reply to this email."],
  }),
  "owner-left": ({ consumerId, name, productName, state }) => ({
    subject: `${productName} has one owner fewer`,
    paragraphs: [
      `Hello ${name},`,
      `An owner of ${productName} no longer is one. Members shows who remains.`,
      ...(state === "under_review" ? [] : [keysKnown(state)]),
    ],
    action: openKeys(consumerId),
    notes: [toOwner],
  }),
  "terms-published": ({ consumerId, name, productName, version, state }) => ({
    subject: `New data-use terms for ${productName} on Aisle`,
    paragraphs: [
      `Hello ${name},`,
      `Version ${version} of the data-use terms is in force. Overview links to its text and to what changed.`,
      state === "under_review"
        ? `${productName} is under review. Its first key waits until an owner accepts this version.`
        : `The keys of ${productName} keep working. Keys are issued and rotated again once an owner accepts this version.`,
    ],
    action: openOverview(consumerId),
    notes: [toOwner],
  }),
  "key-leaked": ({ consumerId, productName, name, shown, where, again, state }) => ({
    subject: `A key of ${productName} was found in public and has been revoked`,
    paragraphs: [
      `GitHub found the key “${name}” (${shown}) of ${productName} where anyone can read it. It has been revoked: ${refused(state)}.`,
      ...(where ? [`It was found at ${where.replace(/^https?:\/\//, "")}`] : []),
      ...(state === "revoked" ? [] : activeAgain(again)),
      state === "revoked"
        ? "There is nothing else to do: no new key can be issued while the platform has no access."
        : `${again ? "Rotate that one" : "Issue another key"}, put the new one where your agent reads its secrets, and remove the leaked key from public places. It may stay in a repository's history, since it no longer works.`,
    ],
    action: openKeys(consumerId),
    notes: [toOwner],
  }),
  "key-issued": ({ consumerId, productName, name, shown }) => ({
    subject: `An operator issued a key for ${productName}`,
    paragraphs: [
      `An Aisle operator issued the key “${name}” (${shown}) for ${productName}. Anyone who has its value can call as ${productName}, and it counts towards your maximum number of keys.`,
      "If you know what it is for, there is nothing to do. If not, revoke it under Keys and reply to this email.",
    ],
    action: openKeys(consumerId),
    notes: [toOwner],
  }),
  "key-revoked": ({ consumerId, productName, name, shown, again, state }) => ({
    subject: `An operator revoked a key of ${productName}`,
    paragraphs: [
      `An Aisle operator revoked the key “${name}” (${shown}) of ${productName}: ${refused(state)}.`,
      ...(state === "revoked" ? [] : activeAgain(again)),
      `${state === "revoked" ? "" : `If your agent still uses it, ${again ? "rotate that one" : "issue another key"} and put the new one where your agent reads its secrets. `}If you do not know why it was revoked, reply to this email.`,
    ],
    action: openKeys(consumerId),
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
          ? `A key of ${productName} that is still in use expires soon:`
          : `${keys.length} keys of ${productName} that are still in use expire soon:`,
        ...lines,
        `After that, calls with ${more.length === 0 ? "it" : "them"} are refused.`,
        "A key's expiry cannot be changed, and rotating keeps it. Issue another key, put it where your agent reads its secrets, and revoke the old one once it is no longer used.",
      ],
      action: openKeys(consumerId),
      notes: ["If no key can be issued right now, Keys says why.", toOwner],
    };
  },
};
