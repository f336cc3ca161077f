// What a browser remembers for us, in cookies: the session's (sessions.ts), and what leads to one. None of these others opens anything by itself.
import { randomBytes } from "node:crypto";
import { Cookie } from "lucia";
import * as clock from "./clock";
import type { Core } from "./context";
import { LOG_IN_MS } from "./services/accounts/tokens";
import { isSigned, sign } from "./services/signing";

/** A core, or a context, whose `now` then counts. */
export type Clocked = Core & { now?: Date };
export const nowOf = (core: Clocked): Date => core.now ?? clock.now();

const isHttps = (core: Core) => core.baseUrl.startsWith("https:");
const cookieName = (core: Core, name: string) => (isHttps(core) ? `__Host-${name}` : name);

/** A Set-Cookie header for a cookie that no script reads and no other site sends; under https `__Host-`. @param maxAgeMs 0 takes it away */
export function setCookie(core: Core, name: string, value: string, maxAgeMs: number): string {
  const attributes = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isHttps(core),
    maxAge: maxAgeMs / 1000,
  } as const;
  return new Cookie(cookieName(core, name), value, attributes).serialize();
}

const SIGN_UP = "aisle-sign-up";
const LOG_IN = "aisle-log-in";
const CONFIRMED = "aisle-confirmed";

/** Only what looks like a token of ours: other cookies of the host, however malformed, are none of our business. */
export const tokenIn = (core: Core, name: string, cookieHeader: string | undefined): string | undefined =>
  valueIn(core, name, cookieHeader, /^[\w-]{43}$/);

function valueIn(core: Core, name: string, cookieHeader: string | undefined, form: RegExp): string | undefined {
  for (const pair of (cookieHeader ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === cookieName(core, name) && value && form.test(value)) return value;
  }
  return undefined;
}

/** A Set-Cookie header by which this browser can show, for a day, that it signed up (`accounts.verify`). */
export const signUpCookie = (core: Core, proof: string): string => setCookie(core, SIGN_UP, proof, clock.DAY_MS);

/** What `signUpCookie` gave to this browser. */
export const signUpProof = (core: Core, cookieHeader: string | undefined): string | undefined =>
  tokenIn(core, SIGN_UP, cookieHeader);

/** A Set-Cookie header by which this browser goes on with a log-in that waits for its code (`accounts.finishLogIn`). */
export const logInCookie = (core: Core, token: string): string => setCookie(core, LOG_IN, token, LOG_IN_MS);

/** A Set-Cookie header that takes that cookie away. */
export const clearLogInCookie = (core: Core): string => setCookie(core, LOG_IN, "", 0);

/** What `logInCookie` gave to this browser. */
export const logInToken = (core: Core, cookieHeader: string | undefined): string | undefined =>
  tokenIn(core, LOG_IN, cookieHeader);

/** A Set-Cookie header by which this browser's log-in has the address that was just confirmed in its field. */
export const confirmedCookie = (core: Core, email: string): string =>
  setCookie(core, CONFIRMED, Buffer.from(email).toString("base64url"), LOG_IN_MS);

/** A Set-Cookie header that takes that cookie away. */
export const clearConfirmedCookie = (core: Core): string => setCookie(core, CONFIRMED, "", 0);

/** What `confirmedCookie` gave to this browser. */
export function confirmedAddress(core: Core, cookieHeader: string | undefined): string | undefined {
  const value = valueIn(core, CONFIRMED, cookieHeader, /^[\w-]{1,1024}$/);
  return value && Buffer.from(value, "base64url").toString();
}

const DEVICE = "aisle-device";
const DEVICE_MS = 90 * clock.DAY_MS;
/** A device's name: random bytes, and when it was given, in seconds since 1970. */
const NONCE_BYTES = 12;
const NAME_BYTES = NONCE_BYTES + 4;
const MAC_BYTES = 16;

/** An account as it stands: a new password makes its devices unknown. */
interface OfAccount {
  email: string;
  passwordVersion: number;
}
const named = (name: Buffer, { email, passwordVersion }: OfAccount) =>
  Buffer.concat([name, Buffer.from(`${passwordVersion} ${email}`)]);

/**
 * A Set-Cookie header by which this browser shows, for 90 days and until the password changes, that the account was logged
 * in with it. It opens nothing: the browser's tries at the password are counted apart from everybody else's (`limits.logIn`).
 */
export function deviceCookie(core: Clocked, account: OfAccount): string {
  const name = Buffer.concat([randomBytes(NONCE_BYTES), Buffer.alloc(NAME_BYTES - NONCE_BYTES)]);
  name.writeUInt32BE(Math.floor(nowOf(core).getTime() / 1000), NONCE_BYTES);
  const mac = sign(core, "device", named(name, account), MAC_BYTES);
  return setCookie(core, DEVICE, Buffer.concat([name, mac]).toString("base64url"), DEVICE_MS);
}

/** The browser's own name, if this account was logged in with it. */
export function knownDevice(core: Clocked, cookieHeader: string | undefined, account: OfAccount): string | undefined {
  const token = tokenIn(core, DEVICE, cookieHeader);
  const bytes = Buffer.from(token ?? "", "base64url");
  const name = bytes.subarray(0, NAME_BYTES);
  if (!isSigned(core, "device", named(name, account), bytes.subarray(NAME_BYTES), MAC_BYTES)) return undefined;
  const age = nowOf(core).getTime() - name.readUInt32BE(NONCE_BYTES) * 1000;
  return age < DEVICE_MS ? name.toString("base64url") : undefined;
}
