// What the database keeps and only we can read: sealed under a key of SECRET_KEY's, so that whoever has the database alone
// has nothing. Signatures, which everybody may see, are signing.ts's.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Core } from "../context";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secretKey: string, purpose: string) => Buffer.from(hkdfSync("sha256", secretKey, "", purpose, 32));

/**
 * AES-256-GCM under the newest secret key.
 * @param purpose and `owner` are what it can be opened for, and nothing else
 */
export function seal({ secretKeys }: Pick<Core, "secretKeys">, purpose: string, owner: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secretKeys[0], purpose), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
}

/** @returns what was sealed, under this secret key or a previous one; undefined where none of them opens it */
export function unseal(
  { secretKeys }: Pick<Core, "secretKeys">,
  purpose: string,
  owner: string,
  sealed: Buffer,
): Buffer | undefined {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(-TAG_BYTES);
  for (const secretKey of secretKeys) {
    const key = keyOf(secretKey, purpose);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
    try {
      const plain = decipher.setAuthTag(tag).update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]);
    } catch {
      // Not this key's: its tag does not fit.
    }
  }
  return undefined;
}
