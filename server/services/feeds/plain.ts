// Text as it may be stored and shown: no markup, no control characters, nothing that PostgreSQL refuses.
import { decodeHTMLStrict, replaceCodePoint } from "entities/decode";
import { withoutHidden } from "../hidden";

/** What stands where bytes could not be read (U+FFFD). */
export const UNREADABLE = "\ufffd";

const blank = new Set([
  "n/a",
  "na",
  "n.a.",
  "none",
  "null",
  "nil",
  "undefined",
  "nan",
  "-",
  "--",
  "—",
  "not applicable",
  // What databases and spreadsheets write for it.
  "\\n",
  "#n/a",
  "#ref!",
  "#value!",
  "#name?",
  "#num!",
  "#null!",
  "#div/0!",
]);
/** Also marks that turn the direction of what stands behind them: a title is not to reorder the words of a page. */
const controls = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;
/** Nobody means these: HTML reads them as windows-1252's characters, and Node leaves them when it decodes that. */
const c1 = /[\u0080-\u009f]/g;
export const withoutC1 = (text: string): string =>
  text.replace(c1, (control) => String.fromCodePoint(replaceCodePoint(control.charCodeAt(0))));
const unusual = /[^\x20-\x7e]/;

/** Unicode's Stream-Safe Text Format (UAX #15): to bring thousands of marks on one letter into order takes quadratic time. */
const marks = /(\p{M}{30})\p{M}+/gu;
const composed = (text: string): string => text.replace(marks, "$1").normalize("NFC");

/** Trimmed, without control characters (NUL and those of direction among them), hidden ones and lone surrogates, accents composed. */
export function clean(text: string): string {
  if (!unusual.test(text)) return text.trim();
  const wellFormed = withoutC1(text.replace(/\r\n?/g, "\n")).replace(controls, "").toWellFormed();
  return composed(withoutHidden(wellFormed)).trim();
}

/** `N/A`, `none`, `-` and their like say that there is no value. */
export const isBlank = (text: string): boolean => text === "" || (text.length <= 14 && blank.has(text.toLowerCase()));

/** HTML to text: descriptions often carry it, and entities are often escaped once too often. */
export function plain(text: string): string {
  if (!text.includes("<") && !text.includes("&")) return text;
  // Markup that was escaped is markup after all.
  return spaced(withoutTags(decoded(withoutTags(text))));
}

/** Lines without blanks around them, words with one between. */
export const spaced = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();

/** One pass from left to right: a regular expression would take quadratic time on thousands of unclosed tags. */
function withoutTags(text: string): string {
  let out = "";
  let at = 0;
  for (;;) {
    const open = text.indexOf("<", at);
    if (open < 0) return out + text.slice(at);
    const tag = /^<(!--|[/!]?[a-z][a-z0-9]*)/i.exec(text.slice(open, open + 12))?.[1]?.toLowerCase();
    if (!tag) {
      out += text.slice(at, open + 1);
      at = open + 1;
      continue;
    }
    const hidden = tag === "!--" ? "-->" : tag === "script" || tag === "style" ? `</${tag}` : ">";
    const end = text.indexOf(hidden, open);
    if (end < 0) return hidden === ">" ? out + text.slice(at) : out + text.slice(at, open);
    out += text.slice(at, open) + gapOf(tag);
    at = text.indexOf(">", end) + 1;
    if (at === 0) return out;
  }
}

const block = new Set(["br", "/p", "/li", "/div", "/tr", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6"]);

/** What stands where a tag was: `b`, `/p`. */
export const gapOf = (tag: string): string => (block.has(tag) ? "\n" : " ");

/** HTML's entities; a name that it has in another case alone (`&Amp;`) is meant too. What no text may hold is left out. */
function decoded(text: string): string {
  const read = text.replace(/&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi, (entity) => {
    const strict = decodeHTMLStrict(entity);
    const meant = strict === entity ? decodeHTMLStrict(entity.toLowerCase()) : strict;
    return meant.replace(controls, "").replace(UNREADABLE, "");
  });
  return composed(withoutHidden(read));
}

/** On one line. */
export const oneLine = (text: string): string => (/[\n\r\t]| {2}/.test(text) ? text.replace(/\s+/g, " ") : text);

/** `0.5` under `Weight (kg)`; what says its unit itself keeps it. */
export const inUnit = (text: string, unit: string): string =>
  unit && /\d\s*$/.test(text) ? `${text.trim()} ${unit}` : text;

/** The same in memory of its own: a part of a text keeps all of it, and a thousand short ones could keep a gigabyte. */
export const own = (text: string): string => Buffer.from(text, "utf16le").toString("utf16le");

/** At most `length` UTF-16 units, never half a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\ud800-\udbff]/.test(text[length - 1]!) ? length - 1 : length;
  return own(text.slice(0, end));
}
