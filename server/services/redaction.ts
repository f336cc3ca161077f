// What a caller sent, fit to be kept for a while: no secrets, nothing long, nothing that PostgreSQL cannot hold. Pure.

const MAX_TEXT = 300;
const MAX_ITEMS = 20;
const MAX_DEPTH = 8;
const MAX_JSON = 8_000;

const secretName =
  /pass(word|phrase|code)|secret|token|api[-_]?key|authori[sz]ation|credential|cookie|^(pin|cvv|cvc|iban|ssn)$/i;

/** What stands in the place of what is not kept. */
const marks = {
  key: "[key]",
  token: "[token]",
  privateKey: "[private key]",
  email: "[email]",
  card: "[card number]",
  secret: "[removed]",
  deep: "[nested too deep to keep]",
  large: `[too large to keep: more than ${MAX_JSON} characters]`,
  unstorable: "\ufffd",
};

/** Keys and tokens by their form, with what takes their place. */
const secretForms: [form: RegExp, instead: string][] = [
  [/\baisle_[0-9A-Za-z]{8,}/g, marks.key],
  [/\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[opsur]_\w{20,}|\bxox[abprs]-[\w-]{10,}|\bAKIA[0-9A-Z]{16}\b/g, marks.key],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, marks.token],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${marks.token}`],
  [/-----BEGIN [^-]+-----[\s\S]*/g, marks.privateKey],
];
/** It begins with what most text is made of. */
const email = /[\p{L}\p{M}\p{N}_.+-]{1,64}@[\p{L}\p{M}\p{N}_-]{1,63}(?:\.[\p{L}\p{M}\p{N}_-]{1,63})+/gu;
/** Looked ahead for, so that one may begin among the digits of what goes before it. */
const cardForms = [/\b(?=((?:\d[ -]?){15}\d\b))/g, /\b(?=((?:\d[ -]?){14}\d\b))/g];

/** Most text has none of these: to look for all of them at once takes less than to look for one after the other. */
const anyForm = new RegExp(
  [...secretForms.map(([form]) => form), ...cardForms].map(({ source }) => source).join("|"),
  "i",
);

/** The least number of 15 digits. */
const LEAST_CARD = 1e14;

/** Text as PostgreSQL takes it: it has neither NUL nor half of a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

/** One line or more that somebody else wrote: secrets replaced, cut at 300 characters. */
export function redactText(text: string): string {
  // What is cut off need not be looked through; a secret that begins before the cut is still seen whole.
  let kept = storable(text.slice(0, 2 * MAX_TEXT));
  kept = anyForm.test(kept) ? withoutSecrets(kept) : withoutEmails(kept);
  const isCut = text.length > 2 * MAX_TEXT || kept.length > MAX_TEXT;
  return isCut ? `${storable(kept.slice(0, MAX_TEXT))}${lengthMark(text.length)}` : kept;
}

/** Looked for only where there is an at sign. */
const withoutEmails = (text: string): string => (text.includes("@") ? text.replace(email, marks.email) : text);

function withoutSecrets(text: string): string {
  let kept = text;
  for (const [form, instead] of secretForms) kept = kept.replace(form, instead);
  kept = withoutEmails(kept);
  for (const form of cardForms)
    for (const [, number] of kept.matchAll(form)) if (isCardNumber(number!)) kept = kept.replace(number!, marks.card);
  return kept;
}

const lengthMark = (length: number) => `… (${length} characters)`;
const endsInLengthMark = /… \(\d+ characters\)$/;

/** JSON with secrets replaced and everything long cut; it says of itself where. */
export function redact(value: unknown): unknown {
  const room = { left: MAX_JSON };
  const kept = cut(value, 0, room);
  const fits = room.left >= 0 && (JSON.stringify(kept)?.length ?? 0) <= MAX_JSON;
  return fits ? kept : marks.large;
}

/** @param room characters that may still be kept: beyond them nothing is looked at any more */
function cut(value: unknown, depth: number, room: { left: number }): unknown {
  if (room.left < 0) return null;
  const kept = (text: string) => {
    const redacted = redactText(text);
    room.left -= redacted.length;
    return redacted;
  };
  if (typeof value === "string") return kept(value);
  if (typeof value === "number" && Math.abs(value) >= LEAST_CARD) {
    const digits = kept(String(value));
    return digits === String(value) ? value : digits;
  }
  room.left -= 1;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return marks.deep;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => cut(item, depth + 1, room));
    return value.length > MAX_ITEMS ? [...items, markOf(value.length - MAX_ITEMS)] : items;
  }
  const all = Object.entries(value);
  const entries = all
    .slice(0, MAX_ITEMS)
    .map(([name, inner]) => [kept(name), secretName.test(name) ? marks.secret : cut(inner, depth + 1, room)]);
  if (all.length > MAX_ITEMS) entries.push([MARKED, markOf(all.length - MAX_ITEMS)]);
  return Object.fromEntries(entries);
}

/** The entry after the last that was kept: of a record it has this name. */
const MARKED = "…";
const markOf = (more: number) => `[${more} more]`;

export interface Unmarked {
  value: unknown;
  /** How many more entries a list or record had, by its path as JSON, such as `["filters","brand"]`. */
  cut: Record<string, number>;
  /** Whether it is what was sent: nothing of it was replaced, shortened or left out. */
  isWhole: boolean;
}

/** Does one of our marks stand in it? Those that a caller wrote cannot be told from them. */
const isMarked = (text: string): boolean =>
  Object.values(marks).some((mark) => text.includes(mark)) || endsInLengthMark.test(text);

/** What `redact` kept, for showing: what it marked as cut is told beside it. */
export function unmarked(kept: unknown): Unmarked {
  const cut: Unmarked["cut"] = {};
  let isWhole = true;
  const strip = (value: unknown, path: string[]): unknown => {
    if (typeof value === "string" && isMarked(value)) isWhole = false;
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    const mark = entries.find(([name]) => name === (Array.isArray(value) ? String(MAX_ITEMS) : MARKED));
    const [, more] = /^\[(\d+) more\]$/.exec(String(mark?.[1])) ?? [];
    const isCut = entries.length === MAX_ITEMS + 1 && more !== undefined;
    if (isCut) cut[JSON.stringify(path)] = Number(more);
    if (isCut || entries.some(([name]) => isMarked(name))) isWhole = false;
    const inner = entries
      .filter((entry) => !isCut || entry !== mark)
      .map(([name, child]) => [name, strip(child, [...path, name])] as const);
    return Array.isArray(value) ? inner.map(([, child]) => child) : Object.fromEntries(inner);
  };
  return { value: strip(kept, []), cut, isWhole };
}

/** 15 or 16 digits whose check digit is right (ISO/IEC 7812, Luhn). Article numbers have 14 at most. */
function isCardNumber(text: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let i = text.length - 1; i >= 0; i--) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) continue;
    sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}
