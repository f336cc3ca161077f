// People: accounts with passwords, what they do at the doors, and the mails that they get.
import { randomBytes, randomInt } from "node:crypto";
import { eq } from "drizzle-orm";
import { Argon2id } from "oslo/password";
import { vi } from "vitest";
import { accounts as table } from "../../db/schema/accounts";
import * as accounts from "../../server/services/accounts";
import * as mail from "../../server/services/mail";
import * as passwords from "../../server/services/passwords";
import * as sessions from "../../server/sessions";
import type { TestDatabase } from "./database";
import { makeAccount } from "./factories";

export const PASSWORD = "a quiet river in May";
export const OTHER = "nine green umbrellas";

let hashed: Promise<string> | undefined;
/** The hash of PASSWORD, made once: argon2 takes its time. */
const passwordHash = () => (hashed ??= passwords.hash(PASSWORD));

/** An account whose address is verified and whose password is PASSWORD. */
export const makeAccountWithPassword = async (database: TestDatabase, given: Partial<typeof table.$inferInsert> = {}) =>
  makeAccount(database, { passwordHash: await passwordHash(), ...given });

export const newEmail = () => `${randomBytes(6).toString("hex")}@example.com`;
/** Each act comes from a network of its own, so that none spends another's tries. */
export const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** What people do, on a test's database. */
export function people(database: TestDatabase) {
  const anonymous = (now?: Date) => database.as({ kind: "anonymous" }, now);
  const signedIn = (accountId: string) => database.as({ kind: "signed_in", accountId });
  const system = () => database.as({ kind: "system" });

  /** The mails to an address, the newest first, as they would be read. */
  async function mailsTo(email: string) {
    await mail.deliverDue(system(), mail.local(system()));
    // By their ids, which are of the order in which they were written: several are delivered at once.
    return (await mail.recentLocal(system()))
      .filter(({ to }) => to === email)
      .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  return {
    anonymous,
    signedIn,
    system,
    mailsTo,
    /** The token of the newest link to a page. */
    async linkTo(email: string, page: string): Promise<string> {
      const links = (await mailsTo(email)).flatMap((message) => message.links);
      return new URL(links.find((link) => new URL(link).pathname === page)!).searchParams.get("token")!;
    },
    signUp: (email: string, given: Partial<Parameters<typeof accounts.signUp>[1]> = {}) =>
      accounts.signUp(anonymous(), { name: "Ada Byrne", email, password: PASSWORD, address: newAddress(), ...given }),
    /** Of somebody without a second factor. */
    async logIn(email: string, password = PASSWORD, address = newAddress()): Promise<accounts.LoggedIn> {
      const entry = await accounts.logIn(anonymous(), { email, password, address });
      if ("token" in entry) throw new Error("The log-in waits for a code.");
      return entry;
    },
    /** A verified account with a password. */
    async makePerson(given: Partial<typeof table.$inferInsert> = {}) {
      const account = await makeAccountWithPassword(database, given);
      return { ...account, ctx: signedIn(account.id) };
    },
    accountOf: async (email: string) => (await database.db.select().from(table).where(eq(table.email, email)))[0],
    /** Opens a session; what comes back asks whether it still holds. */
    async openSession(account: { id: string; passwordVersion: number }) {
      const { cookie } = await sessions.create(anonymous(), { account, userAgent: "x", address: newAddress() });
      return async () => (await sessions.read(anonymous(), cookie)) !== null;
    },
  };
}

/** How often argon2 runs: what takes the time that might tell. */
export async function argon2Runs(work: () => Promise<unknown>): Promise<{ hash: number; verify: number }> {
  const hash = vi.spyOn(Argon2id.prototype, "hash");
  const verify = vi.spyOn(Argon2id.prototype, "verify");
  await work().catch(() => {});
  const runs = { hash: hash.mock.calls.length, verify: verify.mock.calls.length };
  hash.mockRestore();
  verify.mockRestore();
  return runs;
}

/** What a caller can tell of an outcome. */
export const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value }),
    ({ code, message, details }) => ({ code, message, details }),
  );

/**
 * Every value of every table, the job queue's too, as text, by the table's name.
 * @param bytes "escape" writes those that are text as that text, which "hex" would hide
 */
export async function storedByTable({ sql }: TestDatabase, bytes: "escape" | "hex" = "escape") {
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and relkind in ('r', 'p') and not relispartition`;
  const stored = await sql.begin(async (tx) => {
    await tx`select set_config('bytea_output', ${bytes}, true)`;
    return Promise.all(
      tables.map(async ({ name }): Promise<[string, string]> => {
        const [row] = await tx.unsafe(`select string_agg(t::text, ' ') as text from ${name} t`);
        return [name, row!.text ?? ""];
      }),
    );
  });
  return new Map(stored);
}

export const everythingStored = async (...given: Parameters<typeof storedByTable>): Promise<string> =>
  [...(await storedByTable(...given)).values()].join(" ");
