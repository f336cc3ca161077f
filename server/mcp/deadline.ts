// Every answer is sent in time, also while the database hangs.
import { unavailable } from "../errors";

/** The 503 of a request that ran out of time. */
export const tooSlow = () => unavailable(new Error("deadline exceeded"));

/** How many requests still wait for the database although their callers have their 503 already. */
let abandoned = 0;
/** With so many, further callers get their 503 at once: so memory stays bounded while the database hangs. */
const MOST_ABANDONED = 250;

/** @throws DomainError unavailable */
export function refuseWhileHanging(): void {
  if (abandoned >= MOST_ABANDONED) throw tooSlow();
}

/** The work's outcome. @throws DomainError unavailable when it takes longer */
export const within = <T>(ms: number, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      abandoned += 1;
      const end = () => {
        abandoned -= 1;
      };
      work.then(end, end);
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
