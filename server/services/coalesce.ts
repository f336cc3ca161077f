// Many callers, one statement: what is asked for while a round trip is under way waits and goes together in the next one.
import type { Sql } from "../../db/client";

/**
 * Wraps a batched operation as a single one. A call never joins a batch that has begun: what it reads is never older than
 * the call itself.
 * @param run takes the items of a batch and gives their outcomes in the same order; if it throws, every caller gets that
 * @param batch `max`: items at most in one batch; `lanes`: batches under way at once
 */
export function coalesce<Item, Outcome>(
  run: (items: Item[]) => Promise<Outcome[]>,
  batch: { max: number; lanes: number },
): (item: Item) => Promise<Outcome> {
  interface Waiting {
    item: Item;
    resolve: (outcome: Outcome) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let free = batch.lanes;
  let due = false;

  function flush(): void {
    due = false;
    while (waiting.length > 0 && free > 0) {
      const taken = waiting.slice(0, batch.max);
      waiting = waiting.slice(batch.max);
      free -= 1;
      void run(taken.map(({ item }) => item))
        .then(
          (outcomes) => {
            for (const [i, { resolve }] of taken.entries()) resolve(outcomes[i]!);
          },
          (error) => {
            for (const { reject } of taken) reject(error);
          },
        )
        .finally(() => {
          free += 1;
          schedule();
        });
    }
  }

  function schedule(): void {
    if (due || waiting.length === 0 || free === 0) return;
    due = true;
    // After the present turn, so that everything that arrived in it goes together.
    setImmediate(flush);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/** One of `make`'s for each database client, made when first asked for. */
export function perClient<T>(make: (sql: Sql) => T): (sql: Sql) => T {
  const made = new WeakMap<Sql, T>();
  return (sql) => {
    let found = made.get(sql);
    if (!found) {
      found = make(sql);
      made.set(sql, found);
    }
    return found;
  };
}
