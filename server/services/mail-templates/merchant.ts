// Mails to those who act for a merchant, or are invited to.
import { type Content, linkTo } from "../mail-layout";

export interface MerchantMails {
  "merchant-digest": {
    merchantId: string;
    merchant: string;
    /** Platforms that went live and can read a store, newest first: names, and the slugs that their page goes by. */
    platforms: { name: string; slug: string; store: string; storeSlug: string }[];
    /** How many more there are. */
    more: number;
    /** How many platforms all of them are; left out by versions before 2026-11-27. */
    readers?: number;
    unsubscribeToken: string;
  };
  invitation: { token: string; merchantId: string; merchant: string };
  "merchant-joined": { merchantId: string; merchant: string };
  "merchant-removed": { merchantId: string; merchant: string };
  "feed-source-off": { merchantId: string; storeId: string; store: string; reason: string };
}

// Who acts for several merchants may look at another one just now.
const pageOf = (merchantId: string, redirectTo: string) => linkTo("/merchant/switch", { merchantId, redirectTo });

export const merchantTemplates: { [T in keyof MerchantMails]: (data: MerchantMails[T]) => Content } = {
  "merchant-digest": ({ merchantId, merchant, platforms, more, readers, unsubscribeToken }) => {
    const count = platforms.length + more;
    const total = readers ?? new Set(platforms.map(({ slug }) => slug)).size;
    const subject =
      total === 1
        ? `${platforms[0]!.name} can read ${count === 1 ? platforms[0]!.store : `your ${count} stores`}`
        : `${total} new readers of your stores`;
    return {
      subject,
      paragraphs: [
        `Since our last email, these AI platforms went live and can read stores of ${merchant}. Each platform's page shows what it reads, and you can block it there.`,
      ],
      items: platforms.map(({ name, slug, store, storeSlug }) => ({
        label: `${name} reads ${store}`,
        path: pageOf(merchantId, `/merchant/agents/${slug}?store=${storeSlug}`),
      })),
      action: {
        label: more > 0 ? `See these and ${more} more` : "Open Notifications",
        path: pageOf(merchantId, "/merchant/notifications"),
      },
      notes: [`You are receiving this email because you act for ${merchant} on Aisle.`],
      unsubscribePath: `/unsubscribe?token=${unsubscribeToken}`,
    };
  },
  invitation: ({ token, merchant }) => ({
    subject: `You are invited to act for ${merchant} on Aisle`,
    paragraphs: [
      `On Aisle, ${merchant} decides which AI agents may read its stores. You are invited to help: load the catalogue, block or grant platforms, and see what they read.`,
      "Log in with this address, or create an account with it, then accept.",
    ],
    action: { label: "View the invitation", path: `/invitation?token=${token}` },
    notes: ["The link works once, for 7 days.", "If you were not expecting it, you can ignore this email."],
  }),
  "merchant-joined": ({ merchantId, merchant }) => ({
    subject: `You now act for ${merchant} on Aisle`,
    paragraphs: [
      `An Aisle operator has let your account act for ${merchant}: its stores, its catalogue, and which AI agents may read them.`,
    ],
    action: { label: "Open its stores", path: pageOf(merchantId, "/merchant") },
    notes: ["If you were not expecting this, reply to this email."],
  }),
  "merchant-removed": ({ merchant }) => ({
    subject: `You no longer act for ${merchant} on Aisle`,
    paragraphs: [
      `An Aisle operator has removed you from ${merchant}. You can no longer see its stores, or decide which AI agents may read them.`,
    ],
    notes: ["If you were not expecting this, reply to this email."],
  }),
  "feed-source-off": ({ merchantId, storeId, store, reason }) => ({
    subject: `The feed of ${store} is no longer fetched`,
    paragraphs: [
      `The daily feed of ${store} could not be used several times in a row, so it is no longer fetched. The catalogue stays as it was.`,
      `What went wrong the last time: ${reason}`,
    ],
    action: { label: "Open the catalogue", path: pageOf(merchantId, `/merchant/catalogue/${storeId}`) },
    notes: ["Once the feed is fixed, choose “Fetch now” there, and it will be fetched daily again."],
  }),
};
