// Browsers without scripts in which somebody is logged in.
import { members } from "../../db/schema/consumers";
import type { Member } from "../../server/context";
import type { TestDatabase } from "./database";
import { makeAccount, makeConsumer } from "./factories";
import { type Person, signIn } from "./roles";
import type { TestServer } from "./server";
import { type Visitor, visitorAs } from "./visitor";

const DAY_MS = 86_400_000;

export function logins(database: TestDatabase, server: Pick<TestServer, "url">) {
  const logIn = async (account: Person): Promise<Visitor> => visitorAs(server.url, await signIn(database, account));

  const join = (consumerId: string) => async (role: Exclude<Member["role"], "owner">) => {
    const account = await makeAccount(database);
    const endsAt = role === "reviewer" ? new Date(Date.now() + DAY_MS) : null;
    await database.db.insert(members).values({ consumerId, accountId: account.id, role, endsAt });
    return logIn(account);
  };

  /** A consumer, its owner, and who else is to `join` it. */
  async function makeTeam(given: Parameters<typeof makeConsumer>[1] = {}) {
    const consumer = await makeConsumer(database, given);
    return { consumer, owner: await logIn(consumer.owner), join: join(consumer.id) };
  }

  return { logIn, makeTeam };
}
