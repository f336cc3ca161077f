// What our mails say, by whom they are for: each template's words, and where its links lead.
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

/** @param baseUrl where the public reaches us: every link begins with it */
export const render = <T extends Template>(template: T, data: TemplateData[T], baseUrl: string): Rendered =>
  layOut(templates[template](data), baseUrl);
