// What people type about themselves.
import { domainToASCII } from "node:url";
import { z } from "zod";
import { refuseField } from "../../errors";
import { isSeen } from "../fields";
import { isOfPerson } from "../passwords";

/**
 * Trimmed, in lower case, its domain as the DNS has it (RFC 5891): the form in which addresses are kept and compared. Too
 * long a one is refused before its domain is looked at: punycode takes quadratic time.
 */
export const Email = z
  .string("Enter an email address.")
  .trim()
  .max(254, { error: "Use at most 254 characters.", abort: true })
  .toLowerCase()
  .transform((address) => address.replace(/(?<=@)[^@]*$/, (domain) => domainToASCII(domain) || domain))
  .pipe(z.email("Enter an email address.").max(254, "Use at most 254 characters."));

const MAX_NAME = 200;
const LONG_NAME = `Use at most ${MAX_NAME} characters.`;

/** A letter and its marks may become one character, so more than the most may come in; the rest is not looked at. */
export const PersonName = z
  .string("Enter your name.")
  .trim()
  .max(4 * MAX_NAME, { error: LONG_NAME, abort: true })
  .normalize("NFC")
  .refine(isSeen, "Enter your name.")
  .max(MAX_NAME, LONG_NAME)
  .regex(/^\P{Cc}*$/u, "Use letters, not control characters.");

export const OF_PERSON = "Choose a password other than your name and your address.";

/** @throws DomainError invalid_input */
export function requireImpersonal(password: string, person: { name: string; email: string }, field = "password"): void {
  if (isOfPerson(password, person)) throw refuseField(field, OF_PERSON);
}
