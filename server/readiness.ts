// Whether the database answers: for /readyz, and for pages that take long.
import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "./context";
import { perClient } from "./services/coalesce";
import { lookUpsWork } from "./services/key-admission";

/** The database has twenty of these, a second in all, to answer: one that hangs is as good as none. */
const SLICE_MS = 50;
const SLICES = 20;

/** Whoever asks within a second asks together, so that what is asked while the database hangs stays little. */
const TOGETHER_MS = 1_000;

/**
 * Asks the database anything.
 * @returns false if it fails or takes longer than a second, without the time that this process spends on other work: while
 *   it compiles its first pages it hears nobody
 */
export const isReady = ({ sql }: Pick<Core, "sql">): Promise<boolean> => inTime(anything(sql)());

/** The same, and whether a key would be looked up in that time: while look-ups hang, or fail, nobody is let in. */
export const mayServe = ({ sql }: Pick<Core, "sql">): Promise<boolean> =>
  inTime(Promise.all([anything(sql)(), aLookUp(sql)()]));

const anything = perClient((sql) => together(async () => void (await sql`select 1`)));
const aLookUp = perClient((sql) => together(() => lookUpsWork(sql)));

/** What is under way, unless it began more than a second ago. */
function together(ask: () => Promise<void>): () => Promise<void> {
  let [begunAt, asked] = [0, undefined as Promise<void> | undefined];
  return () => {
    if (asked && performance.now() - begunAt < TOGETHER_MS) return asked;
    begunAt = performance.now();
    const mine = ask().finally(() => {
      if (asked === mine) asked = undefined;
    });
    asked = mine;
    return mine;
  };
}

function inTime(asked: PromiseLike<unknown>): Promise<boolean> {
  const answered = asked.then(
    () => true,
    () => false,
  );
  return Promise.race([answered, waitedEnough()]);
}

/** Many short timers: one that fires late counts no more than one in time, and between them this process hears the database. */
async function waitedEnough(): Promise<false> {
  for (let slice = 0; slice < SLICES; slice++) await sleep(SLICE_MS);
  return false;
}
