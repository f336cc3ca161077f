// Fields that the inputs of several operations share. The bound of a text stands first and aborts: zod goes on after a check
// that fails, and to normalise, parse or fold a text of a body's length can take seconds.
import { z } from "zod";
import { countryByName, isCountry } from "./countries";
import { searchable } from "./fold";
import { withoutHidden } from "./hidden";
import { isCurrency } from "./money";

/** Words joined by hyphens: what a slug is, as the tables check it, too. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A scheme counts in any case (RFC 3986, section 3.1); what is stored has it as the tables check it. */
export const lowerScheme = (url: string) => url.replace(/^https?(?=:)/i, (scheme) => scheme.toLowerCase());

export const HttpUrl = z
  .string()
  .max(2000)
  .pipe(z.httpUrl("must be a full address, such as https://shop.example"))
  .transform(lowerScheme);

/**
 * Of the years that ISO 8601 writes with four digits PostgreSQL has no 0000, and an offset, or the end of a day, leads into
 * the year 10000, which it cannot read. What is no instant is told of already.
 */
export const isInReach = (at: Date) => !(at.getUTCFullYear() < 1900 || at.getUTCFullYear() > 9999);

/** A date (its first moment in UTC) or a date and time with its offset, ISO 8601. */
export const Instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text))
  .refine(isInReach, "must be between the years 1900 and 9999");

/** A date and time, as forms have it: in UTC unless it names its offset. */
export const Moment = z.iso
  .datetime({ offset: true, local: true, error: "Enter a day and a time." })
  .transform((text) => new Date(/T[\d:.]+$/.test(text) ? `${text}Z` : text))
  .refine(isInReach, "Enter a year between 1900 and 9999.");

/** A day as it is written, such as 2026-09-26. */
export const Day = z.iso.date().refine((day) => isInReach(new Date(day)));

/** Integer minor units, with their currency. */
export const Amount = z.strictObject({
  amount: z.int().min(0),
  currency: z.string().refine(isCurrency, "must be an ISO 4217 code such as EUR"),
});

/** What somebody looks for in a list: it stands in the address of a page, so people read what is wrong with it. */
export const Sought = (max: number) =>
  z
    .string()
    .trim()
    .max(max, { error: `Use at most ${max} characters.`, abort: true })
    .refine((text) => !hasUnseen(text), REMOVE_UNSEEN);

/** One of what a list's filter offers. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, "Choose an option from the list.");

/** Where a page of a list begins: as long as any that we give. */
export const Cursor = z.string().max(2000).optional();

/** What a form leaves empty, or fills with blanks, is not there. */
export const unlessEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() === "" ? undefined : value), schema.optional());

/** What is typed into a field, trimmed. @param missing what is said of an empty field; without it that is allowed */
export function typed(characters: number, missing?: string) {
  const text = z
    .string()
    .trim()
    .max(characters, { error: `Use at most ${characters.toLocaleString("en")} characters.`, abort: true });
  return missing === undefined ? text : text.refine(isSeen, missing);
}

/** Spaces, what Unicode has drawn as nothing (zero-width spaces, fillers, soft hyphens), and the empty pattern of Braille. */
const DRAWN = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Is there anything to read in it? What is made of invisible characters alone would be as good as empty. */
export const isSeen = (text: string): boolean => DRAWN.test(text);

/** A whole number, also as the text that forms send; an empty one is refused. */
export function count(what: string, min: number, max: number) {
  const error = `Enter ${what}, as a whole number.`;
  return z
    .union(
      [
        z.int(error),
        z
          .string()
          .trim()
          .regex(/^-?\d{1,12}$/, error),
      ],
      error,
    )
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `Enter at least ${min}.`)
        .max(max, `Enter at most ${max.toLocaleString("en")}.`),
    );
}

const MAX_AREA = 250_000;

/** The lines of a text area, trimmed, without empty ones. */
export const Lines = z
  .string()
  .max(MAX_AREA, `Use at most ${MAX_AREA.toLocaleString("en")} characters.`)
  .transform((text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  );

const upTo = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max.toLocaleString("en")} characters.`);

/** An address with its https://, or http://; never with a user's name. */
export const fullAddress = (max: number, message: string) =>
  upTo(max)
    .pipe(z.httpUrl(message).refine((url) => !namesUser(url), message))
    .transform(lowerScheme);

/** A website's address as people type it into a form: with https://, or as they say it, without; never with a user's name. */
export const typedWebsite = (max: number, message: string) =>
  upTo(max)
    .transform((typed) => (/^[a-z][a-z\d+.-]*:/i.test(typed) ? typed : `https://${typed}`))
    .pipe(fullAddress(max, message));

/** `https://ada@shop.example`: an email address in the wrong field, or one site that is to be taken for another. */
function namesUser(url: string): boolean {
  const { username = "", password = "" } = URL.canParse(url) ? new URL(url) : {};
  return username + password !== "";
}

export const Website = typedWebsite(2000, "Enter a full address, such as https://example.com.");

const countryCodes = new Map([...countryByName].map(([name, code]) => [searchable(name), code]));

/** A country by its code, in any case; who enters what it is called is told the code. */
export const Country = typed(100)
  .toUpperCase()
  .refine(isCountry, {
    error: ({ input }) => {
      const code = countryCodes.get(searchable(input as string));
      return code ? `Enter its ISO 3166-1 code: ${code}.` : "Enter an ISO 3166-1 code, such as DE.";
    },
  });

/** An issue for each element whose key an earlier one has. */
export function refuseRepeats<T>(items: readonly T[], keyOf: (item: T) => string, path: string, ctx: z.RefinementCtx) {
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const key = keyOf(item);
    if (seen.has(key)) ctx.addIssue({ code: "custom", path: [path, i], message: `repeats ${key}` });
    seen.add(key);
  });
}

/**
 * Control characters but for tabs and line breaks (PostgreSQL's text has no NUL), halves of characters (its JSON has none), and
 * marks that turn the direction of what stands behind them (embeddings, overrides, isolates): with those a name could reorder
 * the words around it.
 */
const UNSEEN = /[^\P{Cc}\t\n\r]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const hasUnseen = (text: string): boolean => UNSEEN.test(text) || withoutHidden(text) !== text;
const REMOVE_UNSEEN = "Remove the invisible characters, or type the text again.";
/** Not read: a password may have any characters, a token is known or not, and tools look at their own arguments. */
const UNREAD = /(password|token)$|^arguments$/i;

/** How many faults of one input are told: a body has room for a hundred thousand. */
export const MOST_TOLD = 20;
const MOST_PATH = 200;

interface Fault {
  path: string;
  message: string;
}

/** How many values of one input are looked at. No form has as many, and what has more is refused by its schema. */
const MOST_LOOKED_AT = 20_000;

/** An issue for each text within an input that has characters nobody sees, the first twenty. */
export function unseenCharacters(input: unknown): Fault[] {
  const found: Fault[] = [];
  const path: string[] = [];
  let left = MOST_LOOKED_AT;
  const look = (value: unknown): void => {
    left -= 1;
    if (found.length >= MOST_TOLD || left < 0) return;
    if (typeof value === "string") {
      if (!UNREAD.test(path.at(-1) ?? "") && hasUnseen(value))
        found.push({ path: path.join(".").slice(0, MOST_PATH), message: REMOVE_UNSEEN });
      return;
    }
    // No schema goes deeper.
    if (typeof value !== "object" || value === null || path.length > 16) return;
    const prototype = Object.getPrototypeOf(value);
    if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return;
    for (const key in value) {
      if (left < 0) return;
      path.push(key);
      look((value as Record<string, unknown>)[key]);
      path.pop();
    }
  };
  look(input);
  return found;
}

/** A file as it comes in: a stream, so only callers in this process have one. */
export const FileContent = z.custom<AsyncIterable<Uint8Array>>(
  (value) => typeof (value as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === "function",
  "Choose a file.",
);
