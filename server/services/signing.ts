// What we sign and later take back: cursors, links in digests, devices. Signed with the newest secret key; one of the
// previous ones still verifies, so that SECRET_KEY can be changed while what it signed is in use.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Core } from "../context";

/** Newest first. */
export type Signer = Pick<Core, "secretKeys">;

/** The purpose keeps a signature from being taken for one of something else. */
export type Purpose = "cursor" | "unsubscribe" | "device";

const mac = (key: string, purpose: Purpose, payload: string | Buffer, bytes: number): Buffer =>
  createHmac("sha256", key).update(`${purpose}:`).update(payload).digest().subarray(0, bytes);

/** HMAC-SHA-256, cut to so many bytes. */
export const sign = ({ secretKeys }: Signer, purpose: Purpose, payload: string | Buffer, bytes: number): Buffer =>
  mac(secretKeys[0], purpose, payload, bytes);

/** Did we sign it, with this key or a previous one? */
export const isSigned = (
  { secretKeys }: Signer,
  purpose: Purpose,
  payload: string | Buffer,
  given: Buffer,
  bytes: number,
): boolean =>
  given.length === bytes && secretKeys.some((key) => timingSafeEqual(given, mac(key, purpose, payload, bytes)));
