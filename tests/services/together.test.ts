// What comes at once goes in one statement: it locks its rows in one order, and each gets an answer of its own.
import { describe, expect, it } from "vitest";
import { newRequestId } from "../../server/context";
import { network } from "../../server/limit-store";
import * as admission from "../../server/services/key-admission";
import * as usage from "../../server/services/usage";
import { issueKey } from "../support/clients";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer } from "../support/factories";

const database = testDatabase();
const anonymous = () => database.as({ kind: "anonymous" });
const admit = (value: string, address?: string) =>
  admission.admit(
    anonymous(),
    admission.presented(anonymous(), value),
    { requestId: newRequestId(), at: new Date(), method: "ping", tool: undefined },
    address,
  );

async function makeKey() {
  const { id } = await makeConsumer(database);
  return { counter: `consumer:${id}`, value: (await issueKey(database, id)).value };
}

/** While the middle one of seven rows is locked: those that `ask` has locked before it waits for that one. */
async function lockedBefore(counters: string[], ask: () => Promise<unknown>) {
  const [{ sorted }] = await database.sql<[{ sorted: string[] }]>`
    select array_agg(c order by c) as sorted from unnest(${counters}::text[]) c`;
  const { asked, free } = await database.sql.begin(async (tx) => {
    await tx`select from rate_limits where key = ${sorted[3]!} for update`;
    const asked = ask();
    await untilWaiting(database.sql, 1);
    const free = await tx<{ key: string }[]>`
      select key from rate_limits where key = any (${sorted}) order by key for update skip locked`;
    return { asked, free: free.map(({ key }) => key) };
  });
  await asked;
  return { free, expected: sorted.slice(3) };
}

describe("counts of several", () => {
  it("consumers are locked in one order with their keys, so that two instances never wait for each other in a circle", async () => {
    const keys = await Promise.all(Array.from({ length: 7 }, makeKey));
    const all = () => Promise.all(keys.map(({ value }) => admit(value)));
    await all();
    const counters = keys.map(({ counter }) => counter);
    const { free, expected } = await lockedBefore(counters, all);
    expect(free).toEqual(expected);
  });

  it("senders of keys that do not work are locked in one order", async () => {
    const { value } = await makeKey();
    await database.sql`update keys set revoked_at = now()`;
    const addresses = Array.from({ length: 7 }, (_, i) => `203.0.113.${i}`);
    const all = () => Promise.allSettled(addresses.map((address) => admit(value, address)));
    await all();
    const counters = addresses.map((address) => `refused-key:${network(address)}`);
    const { free, expected } = await lockedBefore(counters, all);
    expect(free).toEqual(expected);
  });
});

it("requests beyond a limit that come at once, before and after it was changed, are counted by what it is now", async () => {
  const { value } = await makeKey();
  const { consumer } = await admit(value);
  const over = { method: "tools/call", tool: "list_stores", status: 429, errorCode: "rate_limited" };
  const now = new Date();
  const of = (rateLimit: number) => ({ ...database.as({ ...consumer, rateLimit }, now) });
  const told = { latencyUs: 1, requestBytes: 1, responseBytes: 1, client: {} };
  for (let i = 0; i < 100; i++) await usage.record(of(consumer.rateLimit), { ...over, ...told });
  const beyond = (rateLimit: number) => usage.recordBeyond(of(rateLimit), over);
  const { rateLimit } = consumer;
  expect(await Promise.all([beyond(rateLimit - 1), beyond(rateLimit)])).toEqual([false, true]);
  const [counted] = await database.sql`
    select sum(times)::int as n from usage_pending where consumer_id = ${consumer.consumerId}`;
  expect(counted).toEqual({ n: 101 });
});
