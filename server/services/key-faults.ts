// What is wrong with the credentials that a client sent, and how to mend it; never the credentials themselves.
import type { Anonymous, Ctx } from "../context";
import { DomainError } from "../errors";
import { authenticate } from "./key-admission";
import { isWellFormed } from "./key-format";

interface Credentials {
  /** By name in lower case. */
  headers: Record<string, string | undefined>;
  /** What stands behind the question mark. */
  query: string;
}

interface KeyFinding {
  /** What was sent, such as "Bearer, a well-formed key". */
  form: string;
  isPresent: boolean;
  /** Null when the key works for this consumer. */
  fault: string | null;
}

const OTHER_HEADERS = ["x-api-key", "api-key", "x-auth-token", "proxy-authorization", "x-authorization"];
const KEY = /aisle_[0-9A-Za-z]+/;

/** @param consumerId whose key it should be */
export async function findKeyFault(
  ctx: Ctx<Anonymous>,
  { headers, query }: Credentials,
  consumerId: string,
): Promise<KeyFinding> {
  const { authorization } = headers;
  if (authorization === undefined || authorization.trim() === "") return absent(headers, query);
  // What follows may be nothing: blanks at a header's end do not arrive.
  const said = /^bearer(?: +(.*))?$/i.exec(authorization.trimEnd());
  if (!said) {
    const scheme = /^(\w{1,20}) /.exec(authorization)?.[1];
    return broken(
      scheme && !KEY.test(scheme) ? `${scheme} instead of Bearer` : "no scheme",
      "Start the header with the word Bearer and one space.",
    );
  }
  const token = said[1] ?? "";
  const fault = formFault(token);
  if (fault) return broken(`Bearer, ${fault[0]}`, fault[1]);
  return lookedUp(ctx, token, consumerId);
}

function absent(headers: Credentials["headers"], query: string): KeyFinding {
  const none = (form: string, fault: string) => ({ form, fault, isPresent: false });
  if (KEY.test(decoded(query)) || /(?:^|&)(?:api_?key|key|token|access_token|authorization)=/i.test(query)) {
    return none(
      "none in the headers; something like a key in the address",
      "The address is never read for a key: it ends up in logs. Send it as Authorization: Bearer <key>, and rotate this one.",
    );
  }
  const other = OTHER_HEADERS.find((name) => headers[name] !== undefined);
  if (other)
    return none(
      `none; there is a header ${other}`,
      `Send the key as Authorization: Bearer <key>; ${other} is not read.`,
    );
  return none("none", "Nothing in the request looks like a key.");
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}

const broken = (form: string, fault: string): KeyFinding => ({ form, fault, isPresent: true });

function formFault(token: string): [form: string, fault: string] | undefined {
  if (isWellFormed(token)) return undefined;
  if (token === "") return ["then nothing", "The key is empty: the variable that holds it may not be set."];
  if (/^["'<].*["'>]$/.test(token))
    return ["in quotes or brackets", "Send the key without quotes or brackets around it."];
  if (/[${}%]|^YOUR_|_KEY$/i.test(token))
    return ["a placeholder", "The header holds a placeholder or an unset variable instead of a key."];
  if (/^bearer /i.test(token)) return ["the word Bearer twice", "The client adds Bearer itself: give it only the key."];
  if (/\s/.test(token))
    return ["with a space inside", "The key has a space or line break inside. Copy it whole, in one piece."];
  if (!token.startsWith("aisle_"))
    return ["not a key of Aisle's", "Keys begin with aisle_. This one is another service's."];
  if (token.length !== 42)
    return [`${token.length} characters`, "A key has 42 characters. Copy it whole, in one piece."];
  return ["42 characters, checksum wrong", "A character of the key is wrong. Copy it again, or issue another."];
}

/** Its checksum is right, so it was copied whole. */
const ELSEWHERE = "We never issued this key here. Check that it belongs to this installation.";

async function lookedUp(ctx: Ctx<Anonymous>, token: string, consumerId: string): Promise<KeyFinding> {
  const form = "Bearer, a well-formed key";
  try {
    const consumer = await authenticate(ctx, token);
    const isOurs = consumer.consumerId === consumerId;
    return { form: isOurs ? form : `${form}, of another platform`, isPresent: true, fault: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const reason = String(error.details.reason);
    return broken(`${form}, ${reason.replaceAll("_", " ")}`, reason === "unknown" ? ELSEWHERE : error.message);
  }
}
