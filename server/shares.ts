// Of the connections for what people ask nobody has more than a share, however much they ask: others find one (decision 0095).

import { inTurns } from "../db/client";
import { composing, type InTurn } from "../db/compose";
import type { Core } from "./context";
import { DomainError, unavailable } from "./errors";
import { turnsOfEach } from "./services/turns";

/** Statements at a time over each of the two kinds of connections: fewer than either has. */
const AT_ONCE = 2;
/** Far more than pages that are opened together ask. So few, that one person leaves others room among the requests under way (site.ts). */
const MOST_WAITING = 200;

/**
 * @returns the core as somebody has it for one request, by their name: who asks more at once waits for themselves.
 *   `isGivenUp` tells whether they were told meanwhile that it came to nothing: then nothing more is begun of it, nor committed.
 *   Throws DomainError rate_limited where very much of theirs waits
 */
export function sharing(core: Core): (name: string, isGivenUp?: () => boolean) => Core {
  const [people, drizzle] = [turnsOfEach(AT_ONCE), turnsOfEach(AT_ONCE)];
  return (name, isGivenUp = () => false) => {
    const requireAwaited = () => {
      if (isGivenUp()) throw unavailable(new Error("it was answered with 503 meanwhile"));
    };
    const turnsOf = ({ inTurn }: typeof people): InTurn =>
      Object.assign(
        <T>(work: () => Promise<T>) =>
          inTurn(name, async () => {
            requireAwaited();
            return work();
          }),
        { beforeCommit: requireAwaited },
      );
    if (Math.max(people.works(name), drizzle.works(name)) > MOST_WAITING)
      throw new DomainError("rate_limited", "You have asked too much at once. Try again in a second.", {
        details: { retry_after: 1 },
      });
    const sql = composing(core.people, turnsOf(people));
    return { ...core, sql, searches: sql, people: sql, db: inTurns(core.db, turnsOf(drizzle)) };
  };
}
