// What our mails say, by whom they are for: each template's words, and where its links lead.
import { DAY_MS, HOUR_MS } from "../../clock";
import { type Content, layOut, type Rendered } from "../mail-layout";
import { type AccountMails, accountTemplates } from "./account";
import { type MerchantMails, merchantTemplates } from "./merchant";
import { type PlatformMails, platformTemplates } from "./platform";

/** What each template needs to know. */
export interface TemplateData extends AccountMails, PlatformMails, MerchantMails {}
export type Template = keyof TemplateData;

const templates: { [T in Template]: (data: TemplateData[T]) => Content } = {
  ...accountTemplates,
  ...platformTemplates,
  ...merchantTemplates,
};

export const templateNames = Object.keys(templates) as Template[];

/** How long the links work that do not always, as their mails say: one that waits longer is not sent. */
export const linksWorkMs = {
  verify: DAY_MS,
  reset: HOUR_MS,
  "email-change-confirm": DAY_MS,
  invitation: 7 * DAY_MS,
} as const satisfies Partial<Record<Template, number>>;

/** @param baseUrl where the public reaches us: every link begins with it */
export const render = <T extends Template>(template: T, data: TemplateData[T], baseUrl: string): Rendered =>
  layOut(templates[template](data), baseUrl);
