// Every answer is out in time, also while the database hangs.
import { unavailable } from "../errors";

export const tooSlow = () => unavailable(new Error("deadline exceeded"));

/** Work that still waits for the database, though its caller was told that it is too late. */
let abandoned = 0;
/** At most so much of it: beyond that callers are told at once, so that memory stays bounded while the database hangs. */
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
