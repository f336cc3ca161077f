// Work that is done one by one: what fails keeps none of the others back.

/** After so many failures the rest is not tried: the database is away. */
const MOST_FAILED = 100;

/**
 * @param work by name
 * @returns what came of each
 * @throws AggregateError with what failed, by its name, once the others are done
 */
export async function each<T>(work: Iterable<readonly [name: string, run: () => Promise<T>]>): Promise<T[]> {
  const done: T[] = [];
  const failed: Error[] = [];
  for (const [name, run] of work) {
    await run().then(
      (outcome) => done.push(outcome),
      (cause) => failed.push(new Error(name, { cause })),
    );
    if (failed.length === MOST_FAILED) break;
  }
  if (failed.length === 0) return done;
  throw new AggregateError(failed, `Failed: ${failed.map(({ message }) => message).join(", ")}.`);
}
