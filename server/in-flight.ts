// Answers in the making. They may outlive their connections: a client that goes away stops no query of its request. So
// whoever stops waits for them before the database goes.

export interface InFlight {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export function createInFlight(): InFlight {
  const works = new Set<Promise<unknown>>();
  return {
    track(work) {
      const done = work.then(
        () => void works.delete(done),
        () => void works.delete(done),
      );
      works.add(done);
      return work;
    },
    async settled() {
      while (works.size > 0) await Promise.all(works);
    },
  };
}
