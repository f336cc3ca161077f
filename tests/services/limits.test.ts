import { randomInt, randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createLimits } from "../../server/limits";
import { testDatabase, untilWaiting } from "../support/database";
import { makeConsumer } from "../support/factories";
import { newEmail } from "../support/people";

const database = testDatabase();
afterEach(() => void vi.useRealTimers());

describe("a consumer's limit", () => {
  it("begins anew at the instant at which its window ends", async () => {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database);
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const ask = (ms: number) => {
      vi.setSystemTime(start + ms);
      return limits.consumer(id, 1).catch(({ details }) => details);
    };
    const whole = { limit: 1, remaining: 0, resetSeconds: 60 };
    expect(await ask(0)).toEqual(whole);
    expect(await ask(59_999)).toEqual({ limit: 1, remaining: 0, retry_after: 1 });
    expect(await ask(60_000)).toEqual(whole);
  });

  it("begins anew at that instant though the statement that counted last took half a minute", async () => {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database);
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    await limits.consumer(id, 1);
    let late: Promise<unknown>;
    await database.sql.begin(async (tx) => {
      await tx`select from rate_limits where key = ${`consumer:${id}`} for update`;
      late = limits.consumer(id, 1).catch(({ details }) => details.retry_after);
      await untilWaiting(database.sql, 1);
      vi.setSystemTime(start + 30_000);
    });
    expect(await late!).toBe(30);
    vi.setSystemTime(start + 60_000);
    expect(await limits.consumer(id, 1)).toMatchObject({ remaining: 0, resetSeconds: 60 });
  });

  it("begins anew where the database's clock is set back by more than a window, and is counted on where by less", async () => {
    const { id } = await makeConsumer(database);
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const limits = createLimits(database);
    const ask = (seconds: number, limit = 3) => {
      vi.setSystemTime(start + seconds * 1000);
      return limits.consumer(id, limit).then(
        ({ remaining }) => remaining,
        ({ details }) => details.retry_after,
      );
    };
    expect([await ask(0), await ask(1)]).toEqual([2, 1]);
    expect(await ask(-30)).toBe(0);
    expect(await ask(-31)).toBe(91);
    expect(await ask(-3_600)).toBe(2);
    expect([await ask(-3_599, 1), await ask(-7_200, 1)]).toEqual([59, 0]);
  });

  it("gives each request its own place, though more come in one turn than any batch holds", async () => {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database);
    const allowed = await Promise.all(Array.from({ length: 2_500 }, () => limits.consumer(id, 10_000)));
    const places = allowed.map(({ remaining }) => remaining).toSorted((a, b) => b - a);
    expect(places).toEqual(Array.from({ length: 2_500 }, (_, i) => 9_999 - i));
  });
});

describe("what is known of a consumer that was refused", () => {
  it("refuses it for as long as its limit is below what it has asked for", async () => {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database);
    await limits.consumer(id, 1);
    await expect(limits.consumer(id, 1)).rejects.toMatchObject({ code: "rate_limited" });
    expect([1, 2, 3].map((limit) => limits.consumerBeyond(id, limit)?.place)).toEqual([2, 3, undefined]);
  });

  it("ends when its window does, however often it is refused by it meanwhile", async () => {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database);
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    for (const left of [0, 1]) await limits.consumer(id, 1).catch(() => left);
    for (const second of [20, 40, 59]) {
      const counted = limits.consumerBeyond(id, 1)!;
      // As long as it takes to write down that it is refused.
      vi.setSystemTime(start + second * 1000);
      await expect(limits.consumer(id, 1, counted)).rejects.toMatchObject({ code: "rate_limited" });
    }
    vi.setSystemTime(start + 60_000);
    expect(limits.consumerBeyond(id, 1)).toBeUndefined();
    expect(await limits.consumer(id, 1)).toMatchObject({ remaining: 0 });
  });
});

describe("limits of several consumers", () => {
  it("are counted in one order, so that two instances never wait for each other in a circle", async () => {
    const [a, b] = [await makeConsumer(database), await makeConsumer(database)];
    const [least, most] = [a.id, b.id].toSorted() as [string, string];
    const instance = () => {
      const limits = createLimits(database);
      return (ids: string[]) => Promise.all(ids.map(async (id) => (await limits.consumer(id, 10)).remaining));
    };
    const [one, other] = [instance(), instance()];
    await one([least, most]);
    const { both } = await database.sql.begin(async (tx) => {
      await tx`select from rate_limits where key = ${`consumer:${least}`} for update`;
      const first = one([least, most]);
      await untilWaiting(database.sql, 1);
      const second = other([most, least]);
      await untilWaiting(database.sql, 2);
      return { both: Promise.all([first, second]) };
    });
    expect((await both).flat().toSorted()).toEqual([7, 7, 8, 8]);
  });
});

describe("a directory endpoint's limit", () => {
  /** Outcomes of so many requests at a moment (s): what is left, or that it is too many of how many. */
  async function opened(limit: number) {
    const { id } = await makeConsumer(database);
    const limits = createLimits(database);
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"] });
    return async (seconds: number, address: string, requests: number) => {
      vi.setSystemTime(start + seconds * 1000);
      const outcomes: (number | string)[] = [];
      for (let i = 0; i < requests; i++) {
        const answer = limits.directory(id, address, limit);
        outcomes.push(await answer.then(({ remaining }) => remaining).catch(({ details }) => `over ${details.limit}`));
      }
      return outcomes;
    };
  }

  it("gives an address at most half of each of its windows, whenever the address comes", async () => {
    const ask = await opened(10);
    expect(await ask(0, "203.0.113.1", 1)).toEqual([4]);
    expect(await ask(30, "203.0.113.2", 1)).toEqual([4]);
    expect(await ask(60, "203.0.113.1", 1)).toEqual([4]);
    expect(await ask(62, "203.0.113.2", 4)).toEqual([4, 3, 2, 1]);
    expect(await ask(92, "203.0.113.2", 3)).toEqual([0, "over 5", "over 5"]);
    expect(await ask(93, "203.0.113.3", 5)).toEqual([3, 2, 1, 0, "over 10"]);
    expect(await ask(122, "203.0.113.2", 1)).toEqual([4]);
  });

  it("begins anew where the database's clock is set back, the address's half too", async () => {
    const ask = await opened(4);
    expect(await ask(0, "203.0.113.1", 3)).toEqual([1, 0, "over 2"]);
    expect(await ask(-3_600, "203.0.113.1", 3)).toEqual([1, 0, "over 2"]);
    expect(await ask(-3_541, "203.0.113.1", 1)).toEqual(["over 2"]);
    expect(await ask(-3_540, "203.0.113.1", 1)).toEqual([1]);
  });

  it("rounds an address's half down, but to one at least", async () => {
    const ask = await opened(5);
    expect(await ask(0, "203.0.113.1", 3)).toEqual([1, 0, "over 2"]);
    expect(await (await opened(1))(0, "203.0.113.1", 2)).toEqual([0, "over 1"]);
  });

  it("never promises more than there is, and what one address is refused costs the others nothing", async () => {
    const ask = await opened(4);
    expect(await ask(0, "203.0.113.1", 5)).toEqual([1, 0, "over 2", "over 2", "over 2"]);
    expect(await ask(1, "203.0.113.2", 1)).toEqual([1]);
    expect(await ask(2, "203.0.113.3", 2)).toEqual([0, "over 4"]);
  });

  it("is counted without keeping an address", async () => {
    const { id } = await makeConsumer(database);
    await createLimits(database).directory(id, "198.51.100.77", 4);
    expect(await database.sql`select from rate_limits where key like ${`directory:${id}:%`}`).toHaveLength(1);
    expect(await database.sql`select from rate_limits where key like '%198.51.100%'`).toHaveLength(0);
  });

  it("counts an address on in its window, whose end two instances that began it at once have a moment apart", async () => {
    const { id } = await makeConsumer(database);
    const ask = async () => (await createLimits(database).directory(id, "203.0.113.1", 10)).remaining;
    expect([await ask(), await ask()]).toEqual([4, 3]);
    await database.sql`update rate_limits set expire = expire - 5 where key like ${`directory:${id}:%`}`;
    expect(await ask()).toBe(2);
  });

  it("counts an address in the window that another instance is just beginning", async () => {
    const { id } = await makeConsumer(database);
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const limits = createLimits(database);
    const ask = () =>
      limits.directory(id, "203.0.113.1", 10).then(
        ({ remaining }) => remaining,
        ({ message }) => message,
      );
    await ask();
    vi.setSystemTime(start + 59_999);
    let first: Promise<unknown> | undefined;
    await database.sql.begin(async (tx) => {
      await tx`update rate_limits set points = 1, expire = ${start + 119_999} where key like ${`%:${id}`}`;
      first = ask();
      await untilWaiting(database.sql, 1);
    });
    expect(await first).toBe(4);
    vi.setSystemTime(start + 60_001);
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([3, 2, 1, 0]);
    expect(await ask()).toContain("Rate limit of 5 ");
  });

  it("is counted in one order also where its window is over, so that two instances never wait for each other", async () => {
    const { id } = await makeConsumer(database);
    const ask = () => createLimits(database).directory(id, "203.0.113.1", 10);
    await ask();
    await database.sql`update rate_limits set expire = 1 where key like ${`directory:${id}:%`} or key like ${`%:${id}`}`;
    const keys = await database.sql<{ key: string }[]>`
      select key from rate_limits where key like ${`%${id}%`} order by length(key)`;
    const [whole, part] = keys.map(({ key }) => key);
    const asked = await database.sql.begin(async (tx) => {
      await tx`select from rate_limits where key = ${whole!} for no key update`;
      const asked = ask();
      await untilWaiting(database.sql, 1);
      // Whoever waits for the whole has not taken the part.
      await tx`select from rate_limits where key = ${part!} for no key update nowait`;
      return { asked };
    });
    expect((await asked.asked).remaining).toBe(4);
  });

  it("is exact however many come at once, over two instances", async () => {
    const { id } = await makeConsumer(database);
    const instances = [createLimits(database), createLimits(database)];
    const ask = (i: number, address: string) => instances[i % 2]!.directory(id, address, 40);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 120 }, (_, i) => ask(i, `203.0.113.${1 + (i % 3)}`)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(40);
    for (const address of [0, 1, 2]) {
      const own = outcomes.filter((_, i) => i % 3 === address);
      expect(own.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(20);
    }
  });
});

describe("people's tries", () => {
  type Limits = ReturnType<typeof createLimits>;
  const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
  const somebody = () => ({ id: randomUUID(), email: newEmail(), passwordVersion: 1 });
  /** Any number of addresses of one network, a /64. */
  const newNetwork = () => {
    const prefix = `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}`;
    return () => `${prefix}::${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}`;
  };
  /** Each try differs from the one before in all that it may. */
  type Attempt = (limits: Limits, me: ReturnType<typeof somebody>, here: () => string) => Promise<unknown>;
  const kinds: [what: string, limit: number, seconds: number, attempt: Attempt][] = [
    ["one network at one account", 5, 15 * MINUTE, (limits, me, here) => limits.logIn(me, here())],
    ["one network at any account", 50, 15 * MINUTE, (limits, _, here) => limits.logIn(somebody(), here())],
    ["any network at one account", 100, HOUR, (limits, me) => limits.logIn(me, newNetwork()())],
    ["one browser that the account knows", 10, 15 * MINUTE, (limits, me, here) => limits.logIn(me, here(), me.id)],
    ["all of these", 30, 15 * MINUTE, (limits, me, here) => limits.logIn(me, here(), randomUUID())],
    ["somebody logged in at their password", 10, 15 * MINUTE, (limits, me) => limits.passwordAgain(me.id)],
    ["somebody with a link at a password", 10, 15 * MINUTE, (limits, me) => limits.passwordByLink(me.id)],
    ["one account at codes", 10, HOUR, (limits, me) => limits.code(me)],
    ["one account at a set-up's codes", 10, HOUR, (limits, me) => limits.setUpCode(me)],
    ["one account at codes, in a day", 20, DAY, (limits, me) => limits.codeOfDay(me.id)],
    ["somebody at their data", 10, HOUR, (limits, me) => limits.ownData(me.id)],
    ["one network at reports of leaked keys", 60, MINUTE, (limits, _, here) => limits.leakReport(here())],
    ["one network at signing up", 30, HOUR, (limits, _, here) => limits.signUp(here())],
    ["one network at links", 30, HOUR, (limits, _, here) => limits.linkTo("reset", newEmail(), here())],
    [
      "all networks at links to one address",
      3,
      HOUR,
      (limits, { email }) => limits.linkTo("reset", email, newNetwork()()),
    ],
  ];

  it.each(kinds)("of %s are %i in %i seconds, and as many again after these", async (_, limit, seconds, attempt) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const [limits, me, here] = [createLimits(database), somebody(), newNetwork()];
    const tries = async (count: number) => {
      const outcomes = await Promise.allSettled(Array.from({ length: count }, () => attempt(limits, me, here)));
      return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.details.retry_after] : []));
    };
    expect(await tries(limit)).toEqual([]);
    expect(await tries(1)).toEqual([seconds]);
    vi.setSystemTime(start + seconds * 1000 - 1);
    expect(await tries(1)).toEqual([1]);
    vi.setSystemTime(start + seconds * 1000);
    expect(await tries(limit + 1)).toEqual([seconds]);
  });

  it("from a network in which somebody was logged in are counted apart from strangers' for 30 days", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const [limits, me, here] = [createLimits(database), somebody(), newNetwork()];
    await limits.loggedIn(me, here());
    const counts = async (ms: number) => {
      vi.setSystemTime(start + ms);
      return (await limits.logIn(me, here())).length;
    };
    // Of its network, at this account and at any; then of all strangers at the account, too.
    expect([await counts(30 * DAY * 1000 - 1), await counts(30 * DAY * 1000)]).toEqual([2, 3]);
  });

  it("that succeeded are given back in their own window, and are nothing to the next", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const [limits, { id }] = [createLimits(database), somebody()];
    const [first, second] = [await limits.passwordAgain(id), await limits.passwordAgain(id)];
    await first.giveBack();
    expect((await limits.passwordAgain(id)).count).toBe(2);
    vi.setSystemTime(start + 15 * MINUTE * 1000);
    await second.giveBack();
    expect((await limits.passwordAgain(id)).count).toBe(1);
  });

  it("of a network that has had its own at any account leave no count of further addresses, which it may make up without end", async () => {
    const [limits, here] = [createLimits(database), newNetwork()];
    for (let i = 0; i < 50; i++) await limits.logIn(somebody(), here());
    const rows = async () =>
      (await database.sql`select key, points from rate_limits order by key`).map((row) => ({ ...row }));
    const before = await rows();
    for (let i = 0; i < 3; i++)
      await expect(limits.logIn(somebody(), here())).rejects.toMatchObject({ code: "rate_limited" });
    expect(await rows()).toEqual(before);
  });

  it("at the codes of an app that is set up leave those of log-ins, whose count warns the account's owner", async () => {
    const [limits, me] = [createLimits(database), somebody()];
    for (let i = 0; i < 10; i++) await limits.setUpCode(me);
    expect((await limits.code(me)).count).toBe(1);
  });

  it("at mails of one kind leave those of another", async () => {
    const [limits, { email }] = [createLimits(database), somebody()];
    for (const kind of ["verify", "reset", "change-email"] as const)
      for (let i = 0; i < 3; i++) await limits.linkTo(kind, email, newNetwork()());
  });
});
