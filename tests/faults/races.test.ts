// Whatever there is one of is given once, however many come at the same time. RACE_ROUNDS says how often each race is run
// (25); the limit's over three instances a fifth as often.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as accounts from "../../server/services/accounts";
import * as digests from "../../server/services/digests";
import * as invitations from "../../server/services/invitations";
import * as keys from "../../server/services/keys";
import * as review from "../../server/services/review";
import * as unsubscribe from "../../server/services/unsubscribe";
import { issueKey, makeCaller, type Reply, rpc } from "../support/clients";
import { testDatabase } from "../support/database";
import { makeAccount, makeConsumer, makeMerchant, makeStore } from "../support/factories";
import { newAddress, newEmail, OTHER, people } from "../support/people";
import { testServer } from "../support/server";

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 25);
const TIMEOUT_MS = 1_200_000;
const database = testDatabase();
const { anonymous, linkTo, makePerson, signUp, signedIn } = people(database);
const operator = () => database.as({ kind: "operator", accountId: null });

/** How many of so many at once got what they came for; each other one was refused in words of ours. */
async function winners(count: number, attempt: (i: number) => Promise<unknown>): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, i) => attempt(i)));
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "DomainError" });
  }
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

/** Rounds whose outcome was another than it must be: there are none. */
async function everyRound(rounds: number, round: () => Promise<unknown>, outcome: unknown): Promise<void> {
  for (let i = 0; i < rounds; i++) expect(await round(), `round ${i + 1}`).toEqual(outcome);
}

const count = async (rows: Promise<readonly unknown[]>) => (await rows).length;

describe("one of a kind is given once:", () => {
  it(
    "the last key",
    () =>
      everyRound(ROUNDS, async () => {
        const { id } = await makeConsumer(database, { maxKeys: 2 });
        await issueKey(database, id);
        const issued = await winners(12, () => keys.issue(operator(), { consumerId: id, name: "Last" }));
        return [issued, await count(database.sql`select from keys where consumer_id = ${id} and revoked_at is null`)];
      }, [1, 2]),
    TIMEOUT_MS,
  );

  it(
    "a decision, of two operators who decide otherwise",
    () =>
      everyRound(ROUNDS, async () => {
        const consumer = await makeConsumer(database, { state: "production_requested" });
        const shown = { slug: consumer.slug, version: consumer.version };
        const access = { scopes: ["catalog:read" as const], rateLimit: 60, maxKeys: 2, directorySlug: null };
        const decided = await winners(6, (i) =>
          i % 2
            ? review.decline(operator(), { ...shown, reason: "No." })
            : review.approveProduction(operator(), {
                ...{ ...shown, ...access, coverage: "explicit" as const, utmSource: consumer.slug },
              }),
        );
        return [decided, await count(database.sql`select from audit where target_id = ${consumer.id}`)];
      }, [1, 1]),
    TIMEOUT_MS,
  );

  it(
    "a notification for each store, of approvals at once",
    async () => {
      await makeStore(database);
      await everyRound(
        ROUNDS,
        async () => {
          const consumer = await makeConsumer(database, { state: "production_requested" });
          const shown = { slug: consumer.slug, version: consumer.version };
          const access = { scopes: ["catalog:read" as const], rateLimit: 60, maxKeys: 2, directorySlug: null };
          await winners(6, () =>
            review.approveProduction(operator(), {
              ...{ ...shown, ...access, coverage: "default_on" as const, utmSource: consumer.slug },
            }),
          );
          const [told] = await database.sql`
            select count(*)::int - count(distinct store_id)::int as twice, count(*) > 0 as some
            from notifications where consumer_id = ${consumer.id}`;
          return told;
        },
        { twice: 0, some: true },
      );
    },
    TIMEOUT_MS,
  );

  it(
    "a verification",
    () =>
      everyRound(
        ROUNDS,
        async () => {
          const email = newEmail();
          const { proof } = await signUp(email);
          const token = await linkTo(email, "/verify");
          return winners(10, () => accounts.verify(anonymous(), { token, proof }));
        },
        1,
      ),
    TIMEOUT_MS,
  );

  it(
    "a reset",
    () =>
      everyRound(ROUNDS, async () => {
        const { email, passwordVersion } = await makePerson();
        await accounts.requestReset(anonymous(), { email, address: newAddress() });
        const token = await linkTo(email, "/reset");
        const won = await winners(4, () =>
          accounts.reset(anonymous(), { token, password: OTHER, address: newAddress() }),
        );
        const [account] = await database.sql`select password_version as version from accounts where email = ${email}`;
        return [won, account!.version - passwordVersion];
      }, [1, 1]),
    TIMEOUT_MS,
  );

  it(
    "an invitation",
    () =>
      everyRound(
        ROUNDS,
        async () => {
          const { merchantId } = await makeStore(database);
          const account = await makeAccount(database, { email: newEmail() });
          await invitations.send(operator(), { merchantId, email: account.email });
          const [waiting] = await invitations.mine(signedIn(account.id));
          await winners(10, () => invitations.accept(signedIn(account.id), { id: waiting!.id }));
          const members = await count(database.sql`select from merchant_members where merchant_id = ${merchantId}`);
          const acts = await count(
            database.sql`select from audit where target_id = ${merchantId} and action = 'invitation.accept'`,
          );
          return { members, acts };
        },
        { members: 1, acts: 1 },
      ),
    TIMEOUT_MS,
  );

  it(
    "an unsubscription",
    () =>
      everyRound(
        ROUNDS,
        async () => {
          const { merchantId } = await makeStore(database);
          const merchant = await makeMerchant(database, merchantId);
          const token = unsubscribe.tokenFor(operator(), merchant);
          await winners(10, () => unsubscribe.end(anonymous(), { token }));
          return count(
            database.sql`select from audit where target_id = ${merchantId} and action = 'digest.unsubscribe'`,
          );
        },
        1,
      ),
    TIMEOUT_MS,
  );

  it(
    "a digest",
    async () => {
      const platform = await makeConsumer(database, { state: "production" });
      await everyRound(
        ROUNDS,
        async () => {
          const store = await makeStore(database);
          const { accountId } = await makeMerchant(database, store.merchantId);
          await database.sql`
            insert into notifications (id, consumer_id, store_id, created_at)
            values (${randomUUID()}, ${platform.id}, ${store.id}, now() - interval '8 days')`;
          await winners(10, () => digests.send(database.as({ kind: "system" })));
          return count(database.sql`
            select from outbox o join accounts a on a.email = o.recipient
            where a.id = ${accountId} and o.template = 'merchant-digest'`);
        },
        1,
      );
    },
    TIMEOUT_MS,
  );
});

describe("the points of a limit, over three instances", () => {
  const instances = [testServer(database), testServer(database), testServer(database)];
  const LIMIT = 100;
  const CALLS = 400;

  /** Where an answer stood in its window. */
  const left = ({ headers }: Reply) => Number(/r=(\d+)/.exec(String(headers.ratelimit))![1]);
  const secondsLeft = ({ headers }: Reply) => Number(/t=(\d+)/.exec(String(headers.ratelimit))![1]);

  async function twoKeys() {
    const { consumer, key } = await makeCaller(database, { rateLimit: LIMIT });
    const second = await issueKey(database, consumer.id);
    const ping = (i: number) => rpc(instances[i % 3]!.url, i % 2 ? key : second.value, "ping");
    return { consumer, ping };
  }
  async function passedOf(replies: Reply[]): Promise<Reply[]> {
    expect(replies.filter(({ status }) => status !== 200 && status !== 429).map(({ text }) => text)).toEqual([]);
    return replies.filter(({ status }) => status === 200);
  }

  it(
    "are given once each, however many come at once by two keys",
    () =>
      everyRound(
        Math.ceil(ROUNDS / 5),
        async () => {
          const { ping } = await twoKeys();
          const passed = await passedOf(await Promise.all(Array.from({ length: CALLS }, (_, i) => ping(i))));
          return passed.map(left).toSorted((a, b) => a - b);
        },
        Array.from({ length: LIMIT }, (_, i) => i),
      ),
    TIMEOUT_MS,
  );

  it(
    "are given once each on both sides of a window's edge",
    () =>
      everyRound(
        Math.ceil(ROUNDS / 5),
        async () => {
          const { consumer, ping } = await twoKeys();
          const before = await Promise.all(Array.from({ length: LIMIT / 2 }, (_, i) => ping(i)));
          // The window, begun a moment ago, ends amid what comes now.
          await database.sql`
            update rate_limits set expire = (extract(epoch from clock_timestamp()) * 1000)::bigint + 100
            where key = ${`consumer:${consumer.id}`}`;
          const amid = await Promise.all(
            Array.from({ length: CALLS }, (_, i) => new Promise((go) => setTimeout(go, i / 2)).then(() => ping(i))),
          );
          const passed = await passedOf([...before, ...amid]);
          // A new window has a minute before it; the old one had a moment, but for the calls before it was cut short.
          const late = passed.slice(before.length);
          const [old, fresh] = [false, true].map((isNew) =>
            late.filter((reply) => secondsLeft(reply) > 1 === isNew).map(left),
          );
          return {
            twice: old!.length + fresh!.length - new Set(old).size - new Set(fresh).size,
            oldAtMost: old!.length <= LIMIT / 2,
            fresh: fresh!.length,
          };
        },
        { twice: 0, oldAtMost: true, fresh: LIMIT },
      ),
    TIMEOUT_MS,
  );
});
