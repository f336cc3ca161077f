// Answers in the making. They may outlive their connections: a client that goes away stops no query of its request. So
// whoever stops waits for them before the database goes.
import type { ServerResponse } from "node:http";

export interface InFlight {
  /** Whether this process is about to stop: its answers then say that their connections end with them. */
  isLeaving: boolean;
  /** How many there are. */
  readonly count: number;
  track<T>(res: ServerResponse, work: Promise<T>): Promise<T>;
  /** From now on each answer, also of what is under way, is the last on its connection. */
  leave(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export function createInFlight(): InFlight {
  const works = new Map<Promise<unknown>, ServerResponse>();
  const inFlight: InFlight = {
    isLeaving: false,
    get count() {
      return works.size;
    },
    track(res, work) {
      const done = work.then(
        () => void works.delete(done),
        () => void works.delete(done),
      );
      works.set(done, res);
      return work;
    },
    leave() {
      inFlight.isLeaving = true;
      for (const res of works.values()) res.shouldKeepAlive = false;
    },
    async settled() {
      while (works.size > 0) await Promise.all(works.keys());
    },
  };
  return inFlight;
}
