// Every answer is sent in time, also while the database hangs.
import { unavailable } from "../errors";

/** The 503 of a request that ran out of time. */
export const tooSlow = () => unavailable(new Error("deadline exceeded"));

/** Requests that still wait for the database although their callers have their 503 already. */
const abandoned = new Set<Promise<unknown>>();
/** Beyond this many, callers get their 503 at once: so memory stays bounded while the database hangs. */
const MOST_ABANDONED = 250;

/** @throws DomainError unavailable */
export function refuseWhileHanging(): void {
  if (abandoned.size >= MOST_ABANDONED) throw tooSlow();
}

/** Resolves when no such request is left: until then the database has to stay. */
export async function abandonedEnded(): Promise<void> {
  while (abandoned.size > 0) await Promise.all(abandoned);
}

/** The work's outcome. @throws DomainError unavailable when it takes longer */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const end = () => void abandoned.delete(ended);
      const ended: Promise<void> = work.then(end, end);
      abandoned.add(ended);
      reject(tooSlow());
    }, ms);
    const inTime =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    work.then(inTime(resolve), inTime(reject));
  });
