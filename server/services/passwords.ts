// Passwords: argon2id, and oslo, are known here alone. At most three are hashed at once: each takes 46 MiB and a thread.
import { createHmac } from "node:crypto";
import { createRequire } from "node:module";
import { Argon2id } from "oslo/password";
import { z } from "zod";
import { DomainError } from "../errors";
import { turns } from "./turns";

// OWASP's second choice of parameters: 46 MiB, one pass; about 12 ms. oslo normalises to NFKC beneath.
const argon2id = new Argon2id({ memorySize: 47_104, iterations: 1, parallelism: 1 });
/** Nobody's: compared with where there is no account, so that it takes as long. */
const NOBODY = "$argon2id$v=19$m=47104,t=1,p=1$gBDwGti6pWmsLtA9rSjY/Q$HCykqXOpQQ0zSvkM7LganrMz4dtuo1qndTK2aRbGtbA";

const AT_ONCE = 3;
/** About a second's work; whoever comes later is asked to come back. */
const MAX_WAITING = 200;
const inTurn = turns(AT_ONCE, (waiting) => {
  if (waiting >= MAX_WAITING)
    throw new DomainError("unavailable", "Too many people are logging in right now. Try again in a moment.");
});

/** @throws DomainError unavailable (too many at once) */
export const hash = (password: string): Promise<string> => inTurn(() => argon2id.hash(password.normalize("NFC")));

/**
 * Is it this password? Takes as long where there is none to compare with.
 * @param hashed undefined where there is no account
 * @throws DomainError unavailable (too many at once)
 */
export async function verify(hashed: string | undefined, password: string): Promise<boolean> {
  const known = hashed?.startsWith("$argon2id$") ? hashed : undefined;
  const fits = await inTurn(() => argon2id.verify(known ?? NOBODY, password.normalize("NFC")));
  return fits && known !== undefined;
}

const MIN_LENGTH = 10;
const MAX_LENGTH = 256;
let common: Set<string> | undefined;

/** Is it one of the 49,000 commonest breached ones, in lower case? Loaded at first use: the list takes 90 ms to unpack. */
function isCommon(password: string): boolean {
  if (!common) {
    const load = createRequire(import.meta.url);
    const { dictionary } = load("@zxcvbn-ts/language-common") as { dictionary: Record<string, string[]> };
    common = new Set(dictionary["passwords-common"]!.map((word) => word.toLowerCase()));
  }
  return common.has(password);
}

/** A common one, a repeated one, or one run along the keyboard: the list has few of those that are long enough. */
function isGuessedFirst(password: string): boolean {
  const guess = password.toLowerCase();
  return isCommon(guess) || isRepeated(guess) || isRuns(guess) || (OBVIOUS.test(guess) && /\p{L}/u.test(guess));
}

/** What fingers run along, there and back: the alphabet, the digits, rows and columns of keyboards. */
const tracks = [
  ..."abcdefghijklmnopqrstuvwxyz 01234567890 !@#$%^&*()_+ qwertyuiop asdfghjkl;' zxcvbnm,./".split(" "),
  ..."qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn".split(" "),
  ..."1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 8ik, 9ol. 147 258 369".split(" "),
].flatMap((track) => [track, backwards(track)]);
const MIN_RUN = 3;
const MAX_ODD = 2;
const MAX_GROUP = 5;

/** One character again and again, or a part of a track. */
const isRun = (text: string) => text === text[0]!.repeat(text.length) || tracks.some((track) => track.includes(text));

/** Nothing but runs, or with one common password or a character or two beside or between them, such as "changeme123". */
function isRuns(text: string): boolean {
  const ends = runsFrom(backwards(text)).map((length) => text.length - length);
  return runsFrom(text).some((start) => ends.some((end) => end - start <= MAX_ODD || isCommon(text.slice(start, end))));
}

/** How long a beginning of it is made of runs: 0, and each length that is. */
function runsFrom(text: string): number[] {
  const lengths = new Set([0]);
  for (const start of lengths) {
    for (let end = start + MIN_RUN; end <= text.length && isRun(text.slice(start, end)); end++) lengths.add(end);
  }
  return [...lengths];
}

/** A few characters, or a common password, twice or more. */
function isRepeated(text: string): boolean {
  const characters = [...text];
  return characters.slice(0, characters.length / 2).some((_, i) => {
    const group = characters.slice(0, i + 1);
    return (
      characters.every((character, at) => character === group[at % group.length]) &&
      (group.length <= MAX_GROUP || isCommon(group.join("")))
    );
  });
}

function backwards(text: string): string {
  return [...text].reverse().join("");
}

/** Nothing but words that anybody would try here first (SECURITY.md has them too), numbers and signs between. */
const OBVIOUS =
  /^(aisle|commerce|agent|assistant|merchant|operator|developer|reviewer|owner|admin|console|welcome|password|\P{L})+$/iu;

/** A password that somebody chooses: length in code points, no rules of composition. */
export const NewPassword = z
  .string("Choose a password.")
  .max(4 * MAX_LENGTH, { error: `Use at most ${MAX_LENGTH} characters.`, abort: true })
  .normalize("NFC")
  .superRefine((password, ctx) => {
    const length = [...password].length;
    const refuse = (message: string) => ctx.addIssue({ code: "custom", message });
    if (length < MIN_LENGTH) refuse(`Use at least ${MIN_LENGTH} characters.`);
    else if (length > MAX_LENGTH) refuse(`Use at most ${MAX_LENGTH} characters.`);
    else if (isGuessedFirst(password)) refuse("This password is too easy to guess. Choose another.");
  });

/** A password as somebody types it to prove who they are. */
export const GivenPassword = z
  .string("Enter your password.")
  .min(1, "Enter your password.")
  .max(4 * MAX_LENGTH, { error: `No password here has more than ${MAX_LENGTH} characters.`, abort: true });

/** Is it the person's own name or address? Those are guessed first too. */
export function isOfPerson(password: string, person: { name: string; email: string }): boolean {
  const plain = (text: string) => text.normalize("NFC").trim().toLowerCase();
  return plain(password) === plain(person.name) || plain(password) === plain(person.email);
}

/** The password of a seeded demo account: follows from the installation's secret, so it need not be kept anywhere. */
export const demoPassword = (secretKey: string, email: string): string =>
  createHmac("sha256", secretKey).update(`demo-password:${email}`).digest("base64url").slice(0, 20);
