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

/**
 * The same for each name: nobody's work waits for that of another name. Names without any take no memory.
 * @returns `inTurn` runs a name's work when its turn has come, and gives its outcome; `works` tells how much is under way or waits
 */
export function turnsOfEach(atOnce: number): {
  inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  works: (name: string) => number;
} {
  const lines = new Map<string, { inTurn: ReturnType<typeof turns>; works: number }>();
  return {
    async inTurn(name, work) {
      const line = lines.get(name) ?? { inTurn: turns(atOnce), works: 0 };
      lines.set(name, line);
      line.works += 1;
      try {
        return await line.inTurn(work);
      } finally {
        line.works -= 1;
        if (line.works === 0) lines.delete(name);
      }
    },
    works: (name) => lines.get(name)?.works ?? 0,
  };
}
