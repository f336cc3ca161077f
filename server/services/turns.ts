// Work that takes much of something scarce (memory, connections): a few run at once, and the others wait without taking any.

/**
 * @param atOnce how many may run at the same time
 * @param refuse called with how many wait already; throws if these are too many
 * @returns a function that runs work when its turn has come, and gives its outcome
 */
export function turns(atOnce: number, refuse?: (waiting: number) => void): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < atOnce) running++;
    else {
      refuse?.(waiting.length);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
