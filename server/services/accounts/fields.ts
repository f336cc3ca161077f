// What people type about themselves, and how a field is refused.
import { domainToASCII } from "node:url";
import { z } from "zod";
import { DomainError } from "../../errors";
import { isOfPerson } from "../passwords";

/** Trimmed, in lower case, its domain as the DNS has it (RFC 5891): the form in which addresses are kept and compared. */
export const Email = z
  .string("Enter an email address.")
  .trim()
  .toLowerCase()
  .transform((address) => address.replace(/(?<=@)[^@]*$/, (domain) => domainToASCII(domain) || domain))
  .pipe(z.email("Enter an email address.").max(254, "Use at most 254 characters."));

export const PersonName = z
  .string("Enter your name.")
  .trim()
  .normalize("NFC")
  .min(1, "Enter your name.")
  .max(200, "Use at most 200 characters.")
  .regex(/^\P{Cc}*$/u, "Use letters, not control characters.");

export const refuseField = (path: string, message: string): DomainError =>
  new DomainError("invalid_input", message, { details: { issues: [{ path, message }] } });

export const OF_PERSON = "Choose a password other than your name and your address.";

/** @throws DomainError invalid_input */
export function requireImpersonal(password: string, person: { name: string; email: string }, field = "password"): void {
  if (isOfPerson(password, person)) throw refuseField(field, OF_PERSON);
}
