// Time tells nobody whether an address has an account: Welch's t over pairs of an address that has one and one that has
// none, taken in turns. Of the times' logarithms: once that the machine stands still must not outweigh all others.
// TIMING_PAIRS=1000 for the long run. |t| ≥ 5.5 would come by chance once in a million runs.
import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accounts as table } from "../../db/schema/accounts";
import * as accounts from "../../server/services/accounts";
import * as passwords from "../../server/services/passwords";
import { testDatabase } from "../support/database";
import { newAddress, newEmail, OTHER, PASSWORD, people } from "../support/people";

const PAIRS = Number(process.env.TIMING_PAIRS ?? 40);
/** So many pairs at once: the answers that wait for their time leave the machine idle. */
const LANES = 4;
const THRESHOLD = 5.5;

const database = testDatabase();
const { anonymous, logIn, signUp } = people(database);

const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
const variance = (all: number[]) => {
  const middle = mean(all);
  return all.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (all.length - 1);
};
/** Welch's t: how far the means of two samples lie apart, in standard errors. */
const welch = (a: number[], b: number[]) =>
  (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work().catch(() => {});
  return performance.now() - begun;
}

type State = "verified" | "unverified";

/** So many accounts at once, of one password. */
async function addresses(state: State, count: number): Promise<string[]> {
  const passwordHash = await passwords.hash(PASSWORD);
  const emailVerifiedAt = state === "verified" ? new Date() : null;
  const emails = Array.from({ length: count }, newEmail);
  await database.db
    .insert(table)
    .values(emails.map((email) => ({ name: "Ada", email, passwordHash, emailVerifiedAt })));
  return emails;
}

/** Each pair is of addresses of its own, so that no throttle counts, and begins with either. */
async function compare(state: State, act: (email: string) => Promise<unknown>, lanes = LANES) {
  const WARM_UP = 2 * lanes;
  const known = await addresses(state, PAIRS + WARM_UP);
  const [existing, unknown]: [number[], number[]] = [[], []];
  const pairs = known.entries();
  async function lane() {
    for (const [i, email] of pairs) {
      const both = [
        [existing, email],
        [unknown, newEmail()],
      ] as const;
      for (const [times, address] of randomInt(2) ? both : both.toReversed()) {
        const took = await milliseconds(() => act(address));
        if (i >= WARM_UP) times.push(took);
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  const t = welch(existing.map(Math.log), unknown.map(Math.log));
  const told = `${PAIRS} pairs, ${mean(existing).toFixed(2)} and ${mean(unknown).toFixed(2)} ms, t = ${t.toFixed(2)}`;
  if (process.env.TIMING_PAIRS) process.stdout.write(`${expect.getState().currentTestName}: ${told}\n`);
  return { t: Math.abs(t), told };
}

const acts: [name: string, state: State, act: (email: string) => Promise<unknown>, lanes?: number][] = [
  ["a log-in", "verified", (email) => logIn(email, OTHER), 1],
  ["a log-in, where the address is not confirmed", "unverified", (email) => logIn(email, OTHER), 1],
  ["a sign-up", "verified", (email) => signUp(email)],
  ["a sign-up, where the address is not confirmed", "unverified", (email) => signUp(email)],
  ["a forgotten password", "verified", (email) => accounts.requestReset(anonymous(), { email, address: newAddress() })],
  [
    "another verification link",
    "unverified",
    (email) => accounts.resendVerification(anonymous(), { email, address: newAddress() }),
  ],
];

describe("how long it takes does not tell whether there is an account", () => {
  it.each(acts)("%s", { timeout: 120_000 + 1_000 * PAIRS }, async (_name, state, act, lanes) => {
    const { t, told } = await compare(state, act, lanes);
    expect(t, told).toBeLessThan(THRESHOLD);
  });

  it("is a test that would notice: a hash less for unknown addresses is seen at once", async () => {
    const known = new Set<string>();
    const leaky = async (email: string) => {
      if (known.size === 0) for (const row of await database.db.select().from(table)) known.add(row.email);
      if (known.has(email)) await passwords.verify(undefined, OTHER);
    };
    const { t, told } = await compare("verified", leaky, 1);
    expect(t, told).toBeGreaterThan(THRESHOLD);
  });
});
