// A form tells which version of a thing it showed, so that nobody undoes what they have not read (decision 0068).
import { z } from "zod";
import { DomainError } from "../errors";
import { unlessEmpty } from "./fields";

export const LOAD_AGAIN = "Load the page again: what it showed cannot be read.";
/** A digest of what was shown. Without one nothing was: what is saved replaces whatever is there. */
export const Shown = unlessEmpty(z.string().max(64, LOAD_AGAIN));

/**
 * @param told what is said where another version stands by now
 * @throws DomainError conflict, with `details.version`: the one that the form is about from now on
 */
export function requireAsShown(shown: string | undefined, version: string, told: string): void {
  if (shown !== undefined && shown !== version) throw new DomainError("conflict", told, { details: { version } });
}

export const notRemoved = (what: string) => `This ${what} was changed in the meantime, so it was not removed.`;
export const changedMeanwhile = (what: string) =>
  `This ${what} was changed in the meantime, so your changes were not saved. Saving again replaces those changes with yours.`;
/** Unlike `notFound`, it leaves the form there, with what was typed. */
export const removedMeanwhile = (what: string) =>
  new DomainError(
    "conflict",
    `This ${what} was removed in the meantime, so nothing was saved. Copy what you want to keep into a new one.`,
  );
