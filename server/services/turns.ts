// Work that takes much of something scarce (memory, connections): a few run at once, and the others wait without taking any.

/**
 * @param atOnce how many may run at the same time
 * @param refuse called with how many wait already; throws if these are too many
 * @param late how long work waits for its turn, in milliseconds, and what is thrown instead of beginning it later
 * @returns a function that runs work when its turn has come, and gives its outcome
 */
export function turns(
  atOnce: number,
  refuse?: (waiting: number) => void,
  late?: { ms: number; error: () => Error },
): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting = new Set<() => void>();
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(begin);
        reject(late!.error());
      };
      const timer = late && setTimeout(giveUp, late.ms);
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      waiting.add(begin);
    });
  return async (work) => {
    if (running < atOnce) running++;
    else {
      refuse?.(waiting.size);
      await turn();
    }
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  };
}
