// Passwords: argon2id, and oslo, are known here alone.
import { createHmac } from "node:crypto";
import { Argon2id } from "oslo/password";

// OWASP's second choice of parameters: 46 MiB, one pass; about 12 ms.
const argon2id = new Argon2id({ memorySize: 47_104, iterations: 1, parallelism: 1 });

export const hash = (password: string): Promise<string> => argon2id.hash(password);

export const verify = (hashed: string, password: string): Promise<boolean> => argon2id.verify(hashed, password);

/** The password of a seeded demo account: follows from the installation's secret, so it need not be kept anywhere. */
export const demoPassword = (secretKey: string, email: string): string =>
  createHmac("sha256", secretKey).update(`demo-password:${email}`).digest("base64url").slice(0, 20);
