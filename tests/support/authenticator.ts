// An authenticator app: RFC 6238 by its own words, so that what tests compare with is not what the server computes with.
import { createHmac } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

export function bytesOf(base32: string): Buffer {
  const bits = [...base32.toLowerCase().replace(/[\s=]/g, "")]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

/** @param secret in base32 @returns the six digits that the app shows at that time */
export function codeAt(secret: string, at = new Date()): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)));
  const mac = createHmac("sha1", bytesOf(secret)).update(step).digest();
  const offset = mac.at(-1)! & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
