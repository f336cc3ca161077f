// Answers in the making. They may outlive their connections, since a client that goes away stops no query of its request:
// so a server that stops waits for them before it closes the database.
import type { ServerResponse } from "node:http";

export interface InFlight {
  /** Whether this process is about to stop: its answers then end their connections. */
  isLeaving: boolean;
  /**
   * How many answers have their whole request, or have lost their connection. What waits for the rest of a request costs a
   * connection and hardly any work, so it is left out, though the loaders of some pages begin before the body has come. So is
   * what waits for its reader.
   */
  readonly count: number;
  /** Counts `work`, which makes the answer `res`, until it settles. @returns `work` */
  track<T>(res: ServerResponse, work: Promise<T>): Promise<T>;
  /** From now on each answer, those under way included, is the last on its connection. */
  leave(): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

interface Work {
  res: ServerResponse;
  done: Promise<unknown>;
  /** Its index in `works`. */
  at: number;
}

export function createInFlight(): InFlight {
  // Not a Map: adding and deleting all the time, it would keep what it once held through many scavenges (decision 0030).
  const works: Work[] = [];

  function remove({ at }: Work): void {
    const last = works.pop()!;
    if (last.at === at) return;
    works[at] = last;
    last.at = at;
  }

  const inFlight: InFlight = {
    isLeaving: false,
    get count() {
      return works.filter(({ res }) => (res.req.complete || res.req.destroyed) && !res.writableNeedDrain).length;
    },
    track(res, work) {
      const end = () => remove(one);
      const one: Work = { res, done: work.then(end, end), at: works.length };
      works.push(one);
      return work;
    },
    leave() {
      inFlight.isLeaving = true;
      for (const { res } of works) res.shouldKeepAlive = false;
    },
    async settled() {
      while (works.length > 0) await Promise.all(works.map(({ done }) => done));
    },
  };
  return inFlight;
}
