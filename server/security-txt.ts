// How to report a fault in the security of this installation: RFC 9116.
import { DAY_MS } from "./clock";

/** It is made anew for each who asks; the RFC advises less than a year. */
const HOLDS_DAYS = 90;

/** The file's text. @param contact the address of who runs the installation */
export const securityTxt = (baseUrl: string, contact: string, now: Date): string =>
  [
    `Contact: mailto:${encodeURI(contact)}`,
    `Expires: ${new Date(now.getTime() + HOLDS_DAYS * DAY_MS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${new URL("/.well-known/security.txt", baseUrl).href}`,
    "",
  ].join("\n");
