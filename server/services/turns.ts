// Expensive work that must not use up something (memory, connections): a few run at once, the others wait without it.

/**
 * @param atOnce how many may run at the same time
 * @param refuse told of how many wait already; throws where it is too many
 * @returns runs work when its turn has come, and gives what comes of it
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
