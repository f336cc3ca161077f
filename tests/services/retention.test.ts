// Forgetting: each step by itself, and none longer than a statement may take.
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newRequestId } from "../../server/context";
import * as accounts from "../../server/services/accounts";
import * as tokens from "../../server/services/accounts/tokens";
import * as partitions from "../../server/services/partitions";
import * as retention from "../../server/services/retention";
import { testDatabase, untilWaiting } from "../support/database";
import { makeAccount, makeConsumer, makeStore } from "../support/factories";
import { newAddress, people } from "../support/people";

const database = testDatabase();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const run = () => retention.run(database.as({ kind: "system" }));
const failure = (age: number) =>
  database.sql`insert into failures values (${randomUUID()}, ${daysAgo(age)}, 'mcp', null, 'E', 'm', null)`;
const count = async (from: string, where: string) =>
  (await database.sql.unsafe(`select count(*)::int as n from ${from} where ${where}`))[0]!.n as number;
const unproven = (many: number) => database.sql`
  insert into accounts (id, name, email, password_hash, created_at)
  select gen_random_uuid(), 'x', gen_random_uuid() || '@example.com', 'none', ${daysAgo(31)} from generate_series(1, ${many}::int)`;

describe("a step that fails", () => {
  it("is named, and keeps none of the others back", async () => {
    await unproven(1);
    await failure(31);
    await database.sql.unsafe(`
      create function stuck() returns trigger language plpgsql as $$ begin raise 'stuck'; end $$;
      create trigger stuck before delete on accounts for each row execute function stuck()`);
    const error = await run().catch((thrown) => thrown);
    await database.sql.unsafe("drop function stuck cascade");
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.message).toBe("Failed: sign-ups that were never confirmed.");
    expect(error.errors[0].cause.message).toBe("stuck");
    expect(await count("failures", "true")).toBe(0);
    await run();
    expect(await count("accounts", "email_verified_at is null")).toBe(0);
  });

  it("gives way where a backup reads, which is no failure: the next run does it, and nobody waits for it meanwhile", async () => {
    const old = daysAgo(120);
    await partitions.make(database.sql, old);
    const days = (table: string) =>
      count("pg_class", `relname = '${table}_${old.toISOString().slice(0, 10).replaceAll("-", "")}'`);
    const ahead = `usage_events_${daysAgo(-7).toISOString().slice(0, 10).replaceAll("-", "")}`;
    await database.sql.unsafe(`drop table if exists ${ahead}`);
    await database.sql.begin(async (tx) => {
      await tx`lock table usage_events in access share mode`;
      await run();
    });
    expect([await days("usage_events"), await days("request_arguments")]).toEqual([1, 0]);
    expect(await count("pg_class", `relname = '${ahead}'`)).toBe(0);
    await run();
    expect(await days("usage_events")).toBe(0);
    expect(await count("pg_class", `relname = '${ahead}'`)).toBe(1);
  });
});

describe("accounts that go", () => {
  it("are looked for by an index in every table that names accounts", async () => {
    const without = await database.sql`
      select c.conrelid::regclass || '.' || a.attname as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'accounts'::regclass and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
          and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', '(' || a.attname || ' IS NOT NULL)'))`;
    expect(without.map(({ column }) => column)).toEqual([]);
  });

  it("are let go by every table that names accounts", async () => {
    const held = await database.sql`
      select conname from pg_constraint
      where contype = 'f' and confrelid = 'accounts'::regclass and confdeltype not in ('c', 'n')`;
    expect(held.map(({ conname }) => conname)).toEqual([]);
  });

  it("go in pieces, each within what a statement may take", async () => {
    await unproven(1_100);
    await database.sql.unsafe(`
      create function few() returns trigger language plpgsql as
        $$ begin if (select count(*) from gone) > 500 then raise 'too many at once'; end if; return null; end $$;
      create trigger few after delete on accounts referencing old table as gone for each statement execute function few()`);
    await run();
    await database.sql.unsafe("drop function few cascade");
    expect(await count("accounts", "email_verified_at is null")).toBe(0);
  });
});

describe("a sign-up that was never confirmed", () => {
  it("stays while a new link is asked for: the link works", async () => {
    const { anonymous, linkTo } = people(database);
    const { email } = await makeAccount(database, { emailVerifiedAt: null, createdAt: daysAgo(31) });
    await database.db.transaction(async (tx) => {
      await accounts.resendVerification({ ...anonymous(), db: tx }, { email, address: newAddress() });
      await run();
    });
    const token = await linkTo(email, "/verify");
    expect(await accounts.peekVerification(anonymous(), { token })).toMatchObject({ state: "valid", email });
  });

  it("is forgotten after 30 days, unless it has a role or a link that was not used", async () => {
    const { sql } = database;
    const signUp = (age = 31) => makeAccount(database, { emailVerifiedAt: null, createdAt: daysAgo(age) });
    const [gone, fresh, linked, desk, member, merchant] = await Promise.all([
      ...[signUp(), signUp(29), signUp()],
      makeAccount(database, { emailVerifiedAt: null, createdAt: daysAgo(31), isOperator: true }),
      ...[signUp(), signUp()],
    ]);
    const [{ id: consumer_id }, { merchantId }] = [await makeConsumer(database), await makeStore(database)];
    await sql`insert into members ${sql({ consumer_id, account_id: member!.id, role: "developer" })}`;
    await sql`insert into merchant_members ${sql({ merchant_id: merchantId, account_id: merchant!.id })}`;
    const link = { accountId: linked!.id, purpose: "verify", email: linked!.email } as const;
    await tokens.mint(database.as({ kind: "anonymous" }), database.db, link);
    await run();
    const all = [gone, fresh, linked, desk, member, merchant].map((account) => account!.id);
    const left = await sql<{ id: string }[]>`select id from accounts where id in ${sql(all)}`;
    expect(left.map(({ id }) => id).toSorted()).toEqual(all.slice(1).toSorted());
  });

  it("takes the mails with it that were for the address alone, which nobody proved", async () => {
    const { sql } = database;
    const { email } = await makeAccount(database, { emailVerifiedAt: null, createdAt: daysAgo(31) });
    for (const template of ["verify", "reset", "member-added"]) {
      const id = newRequestId();
      await sql`
        insert into outbox (id, message_id, recipient, template, data, created_at, sent_at)
        values (${id}, ${`<${id}@aisle.example>`}, ${email}, ${template}, '{}', ${daysAgo(1)}, ${daysAgo(1)})`;
    }
    await run();
    expect(await sql`select template from outbox where recipient = ${email}`).toEqual([{ template: "member-added" }]);
  });
});

describe("what lasts for a while", () => {
  it("is forgotten with its end: sessions at once, links, limits and the client doctor's addresses a day later", async () => {
    const { sql } = database;
    const [expired, ended] = [daysAgo(0.01), daysAgo(1.1)];
    const { id: account_id, email } = await makeAccount(database);
    const consumers = [await makeConsumer(database), await makeConsumer(database)];
    const session = (expires_at: Date) => ({
      ...{ id: randomBytes(32).toString("hex"), account_id, password_version: 1, last_used_at: daysAgo(3), expires_at },
      ...{ user_agent: "", address: "" },
    });
    const link = (expires_at: Date) => ({ hash: randomBytes(32), account_id, purpose: "reset", email, expires_at });
    const check = (expires_at: Date, i: number) => ({
      ...{ id: randomUUID(), consumer_id: consumers[i]!.id, account_id, token_hash: randomBytes(32) },
      ...{ created_at: new Date(expires_at.getTime() - 60_000), expires_at },
    });
    const limit = (expires: Date, i: number) => ({ key: `a limit ${i}`, points: 1, expire: expires.getTime() });
    await sql`insert into sessions ${sql([session(expired), session(daysAgo(-1))])}`;
    await sql`insert into account_tokens ${sql([link(ended), link(expired)])}`;
    await sql`insert into doctor_checks ${sql([check(ended, 0), check(expired, 1)])}`;
    await sql`insert into rate_limits ${sql([limit(ended, 0), limit(expired, 1)])}`;
    await run();
    const [left] = await sql`select
      array(select expires_at from sessions where account_id = ${account_id}) as sessions,
      array(select expires_at from account_tokens where account_id = ${account_id}) as links,
      array(select expires_at from doctor_checks where account_id = ${account_id}) as checks,
      array(select key from rate_limits where key like 'a limit %') as limits`;
    expect(left).toMatchObject({ links: [expired], checks: [expired], limits: ["a limit 1"] });
    expect(left!.sessions).toHaveLength(1);
  });
});

describe("a mail", () => {
  it("stays 30 days once it was sent, 90 once it was given up, two to an address that was not proved, and while it waits", async () => {
    const { sql } = database;
    const write = async (given: Record<string, unknown>) => {
      const id = newRequestId();
      const row = { id, message_id: `<${id}@aisle.example>`, recipient: "a@example.com", template: "reset", data: {} };
      await sql`insert into outbox ${sql({ ...row, created_at: daysAgo(100), ...given } as never)}`;
      return id;
    };
    const isProof = { template: "email-change-confirm" };
    const gone = [
      await write({ sent_at: daysAgo(30.1) }),
      await write({ dead_at: daysAgo(90.1) }),
      await write({ ...isProof, created_at: daysAgo(2.1), sent_at: daysAgo(2.1) }),
      await write({ ...isProof, created_at: daysAgo(2.1), next_attempt_at: daysAgo(0) }),
    ];
    const kept = [
      await write({ sent_at: daysAgo(29.9) }),
      await write({ dead_at: daysAgo(89.9) }),
      await write({ next_attempt_at: daysAgo(0) }),
      await write({ ...isProof, created_at: daysAgo(1.9), sent_at: daysAgo(1.9) }),
    ];
    await run();
    const left = await sql<{ id: string }[]>`select id from outbox where id in ${sql([...gone, ...kept])} order by id`;
    expect(left.map(({ id }) => id)).toEqual(kept);
  });

  it("with the link of a sign-up stays two days, whether or not it was sent", async () => {
    const { sql } = database;
    const email = `${randomUUID()}@example.com`;
    for (const age of [2.1, 1.9])
      for (const due of ["sent_at", "next_attempt_at"]) {
        const id = newRequestId();
        const row = { id, message_id: `<${id}@aisle.example>`, recipient: email, template: "verify", data: {} };
        await sql`insert into outbox ${sql({ ...row, created_at: daysAgo(age), [due]: daysAgo(age) } as never)}`;
      }
    await run();
    const left = await sql<{ created_at: Date }[]>`select created_at from outbox where recipient = ${email}`;
    expect(left.map(({ created_at }) => created_at > daysAgo(2))).toEqual([true, true]);
  });
});

describe("what was wrong with the rows of a load", () => {
  it("is forgotten after 90 days, but of the load that a store shows, and of its last", async () => {
    const { sql } = database;
    const load = async (storeId: string, age: number, outcome: "loaded" | "refused") => {
      const [id, issues] = [
        newRequestId(),
        [{ line: 2, field: "price", value: "x", reason: "is none", severity: "error" }],
      ];
      await sql`
        insert into feed_loads (id, store_id, file_name, format, outcome, rows, loaded, rejected, vanished, issues, finished_at)
        values (${id}, ${storeId}, 'f.tsv', 'tsv', ${outcome}, 2, 1, 1, 0, ${sql.json(issues)}, ${daysAgo(age)})`;
      return id;
    };
    const [one, other] = [(await makeStore(database)).id, (await makeStore(database)).id];
    const gone = [await load(one, 300, "loaded"), await load(one, 200, "refused")];
    const kept = [await load(one, 150, "loaded"), await load(one, 91, "refused")];
    kept.push(await load(other, 91, "loaded"), await load(other, 89, "loaded"), await load(other, 88, "loaded"));
    gone.push(kept.splice(2, 1)[0]!);
    await run();
    const left =
      await sql`select id, jsonb_array_length(issues) as n from feed_loads where store_id in (${one}, ${other})`;
    const counts = new Map(left.map(({ id, n }) => [id, n]));
    expect(gone.map((id) => counts.get(id))).toEqual([0, 0, 0]);
    expect(kept.map((id) => counts.get(id))).toEqual([1, 1, 1, 1]);
  });
});

describe("what was wrong with the rows of the loads of years", () => {
  it("is looked for by an index, of which what is forgotten is no part", async () => {
    const plan = await database.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      return tx`explain select id from feed_loads where finished_at <= now() and issues <> '[]'`;
    });
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toMatch(/Scan (using|on) feed_loads_issues/);
  });
});

describe("a day of requests", () => {
  it("is made while others read, who wait for it and are not waited for in a circle", async () => {
    const isMade = async () => (await count("pg_class", "relname = 'usage_events_20330308'")) === 1;
    // On a busy machine it may give way.
    while (!(await isMade())) {
      let making: Promise<void> | undefined;
      await database.sql.begin(async (tx) => {
        // As far as a query is before it is planned.
        await tx`lock table only usage_events in access share mode`;
        making = partitions.make(database.sql, new Date("2033-03-01T10:00:00Z"));
        await untilWaiting(database.sql, 1);
        await tx`select count(*) from usage_events`;
      });
      await making;
    }
  });
});

describe("requests of days that have no place of their own", () => {
  const request = (at: Date) => database.sql`
    insert into usage_events (request_id, at, consumer_id, endpoint, method, status, latency_us, request_bytes, response_bytes)
    values (${newRequestId()}, ${at}, ${randomUUID()}, 'api', 'ping', 200, 1, 1, 1)`;
  const places = async (from: Date) => [
    ...(await database.sql`select tableoid::regclass::text as place from usage_events where at >= ${from} order by at`),
  ];

  it("move there once it is made, each to its own, and are not counted again", async () => {
    const day = new Date("2034-05-01T00:00:00Z");
    const later = (hours: number) => new Date(day.getTime() + hours * 3_600_000);
    await Promise.all([0, 23.9, 24, 300].map((hours) => request(later(hours))));
    await partitions.make(database.sql, new Date("2034-04-28T12:00:00Z"));
    expect(await places(day)).toEqual(
      ["20340501", "20340501", "20340502", "default"].map((place) => ({ place: `usage_events_${place}` })),
    );
    expect(await count("usage_pending", `at >= '${day.toISOString()}'`)).toBe(4);
  });

  it("go when they are as old as others", async () => {
    const { sql } = database;
    await sql`delete from usage_events`;
    await Promise.all([91, 89].map((days) => request(daysAgo(days))));
    await run();
    expect(await places(daysAgo(100))).toEqual([{ place: "usage_events_default" }]);
  });
});

describe("a second factor that was not set up", () => {
  it("is forgotten after a day; one that is on stays", async () => {
    const add = async (age: number, enabledAt: Date | null) => {
      const { id } = await makeAccount(database);
      await database.sql`
        insert into second_factors (account_id, secret, created_at, enabled_at)
        values (${id}, ${Buffer.alloc(48)}, ${daysAgo(age)}, ${enabledAt})`;
      return id;
    };
    const [fresh, , on] = [await add(0.9, null), await add(1.1, null), await add(100, daysAgo(100))];
    await run();
    const left = await database.sql`select account_id as id from second_factors order by created_at desc`;
    expect(left.map(({ id }) => id)).toEqual([fresh, on]);
  });
});
