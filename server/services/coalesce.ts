// Many callers, one statement: what is asked for while a round trip is under way waits and goes together in the next one.
import type { Sql } from "../../db/client";

// Callers who shared a batch ask again at about the same time. A batch that leaves before all of them are back costs nearly as
// much as a full one, and parts them: so a batch waits for as many callers as the one before it had (decision 0060).
/** How long it waits for each of them beyond two, counted from when the batch before it began: one or two are no crowd. */
const GATHERED_EACH_MS = 0.5;
/** How long it waits for all of them, at most. */
const GATHERED_MS = 4;
/** A batch waits for the one under way. If that takes longer than this, it counts as held up, and the next takes another lane. */
const PATIENCE_MS = 10;

/**
 * Wraps a batched operation as a single one. A call never joins a batch that has begun: what it reads is never older than
 * the call itself.
 * @param run takes the items of a batch and gives their outcomes in the same order; if it throws, every caller gets that
 * @param batch `max`: items at most in one batch; `lanes`: batches under way at once, where one is held up
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
  let underWay = 0;
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  /** The batch before: when it began (`performance.now()`), and of how many. */
  let before = { at: Number.NEGATIVE_INFINITY, size: 0 };

  /** In how many milliseconds the next batch is due, if no further call comes; 0 or less: now. */
  function rest(): number {
    if (underWay === batch.lanes) return Number.POSITIVE_INFINITY;
    const passed = performance.now() - before.at;
    if (underWay > 0) return PATIENCE_MS - passed;
    if (waiting.length >= before.size) return 0;
    return Math.min(GATHERED_MS, GATHERED_EACH_MS * (before.size - 2)) - passed;
  }

  function flush(): void {
    isDue = false;
    clearTimeout(timer);
    while (waiting.length > 0) {
      const ms = rest();
      if (ms > 0) {
        if (ms < Number.POSITIVE_INFINITY) timer = setTimeout(flush, ms);
        return;
      }
      const taken = waiting.slice(0, batch.max);
      waiting = waiting.slice(batch.max);
      before = { at: performance.now(), size: taken.length };
      underWay += 1;
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
          underWay -= 1;
          schedule();
        });
    }
  }

  function schedule(): void {
    if (isDue || waiting.length === 0) return;
    isDue = true;
    // After the present turn, so that everything that arrived in it goes together.
    setImmediate(flush);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/** A batched operation that runs once what several items of a batch ask. @param question what an item asks, as text */
export const onceEach =
  <Item, Outcome>(question: (item: Item) => string, run: (items: Item[]) => Promise<Outcome[]>) =>
  async (items: Item[]): Promise<Outcome[]> => {
    const first = new Map<string, number>();
    const asked: Item[] = [];
    const places = items.map((item) => {
      const text = question(item);
      const place = first.get(text) ?? asked.push(item) - 1;
      first.set(text, place);
      return place;
    });
    const outcomes = await run(asked);
    return places.map((place) => outcomes[place]!);
  };

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
