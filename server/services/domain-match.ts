// Does an email address prove that its owner belongs to a website? The heart of the approval rule `automatic_domain`.
import { isDisposableEmailDomain } from "disposable-email-domains-js";
import freeMail from "email-providers/all.json" with { type: "json" };
import { getDomain } from "tldts";

const freeMailDomains = new Set<string>(freeMail);

/** Registrable domains under which strangers get names of their own, though the public suffix list does not say so (decision 0053). */
const sharedTenants = new Set([
  "amazonaws.com",
  "atlassian.net",
  "bubbleapps.io",
  "carrd.co",
  "force.com",
  "freshdesk.com",
  "google.com",
  "hubspotpagebuilder.com",
  "icloud.com",
  "linktr.ee",
  "live.com",
  "mailchimpsites.com",
  "notion.site",
  "onmicrosoft.com",
  "salesforce.com",
  "sharepoint.com",
  "slack.com",
  "squarespace.com",
  "substack.com",
  "teams.com",
  "typeform.com",
  "webflow.io",
  "weebly.com",
  "wixsite.com",
  "wordpress.com",
  "zendesk.com",
]);

/** How the rule judges, and from what. */
export interface DomainEvidence {
  /** Registrable domains, in ASCII form; null where there is none. */
  emailDomain: string | null;
  websiteDomain: string | null;
  verdict: "match" | "different" | "free_mail" | "disposable" | "shared";
}

/**
 * Is the verified address on the website's registrable domain? Case and IDN are normalised; private suffixes count
 * (`a.github.io` and `b.github.io` are strangers); free-mail, disposable and shared-tenant domains never match.
 */
export function judgeDomains(email: string, website: string): DomainEvidence {
  const emailDomain = registrable(email.slice(email.lastIndexOf("@") + 1));
  const websiteDomain = registrable(hostOf(website));
  return { emailDomain, websiteDomain, verdict: verdictOn(emailDomain, websiteDomain) };
}

export const domainsMatch = (email: string, website: string): boolean =>
  judgeDomains(email, website).verdict === "match";

function verdictOn(mail: string | null, site: string | null): DomainEvidence["verdict"] {
  if (mail === null) return "different";
  if (freeMailDomains.has(mail)) return "free_mail";
  if (isDisposableEmailDomain(mail)) return "disposable";
  if (sharedTenants.has(mail)) return "shared";
  return mail === site ? "match" : "different";
}

function hostOf(website: string): string {
  return URL.canParse(website) ? new URL(website).hostname : "";
}

/** In ASCII form, as URL makes it; null for addresses, single labels and bare public suffixes. */
function registrable(host: string): string | null {
  const url = `http://${host}`;
  if (host === "" || !URL.canParse(url)) return null;
  return getDomain(new URL(url).hostname.replace(/\.$/, ""), { allowPrivateDomains: true, validateHostname: true });
}
