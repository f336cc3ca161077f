// Of the connections for what people ask nobody has more than a share, however much they ask: others find one (decision 0095).

import { inTurns } from "../db/client";
import { composing } from "../db/compose";
import type { Core } from "./context";
import { DomainError } from "./errors";
import { turnsOfEach } from "./services/turns";

/** Statements at a time over each of the two kinds of connections: fewer than either has. */
const AT_ONCE = 2;
/** Far more than pages that are opened together ask. It bounds how many requests one person has under way. */
const MOST_WAITING = 500;

/** @returns the core as somebody has it, by their name: who asks more at once waits for themselves */
export function sharing(core: Core): (name: string) => Core {
  const refuse = (waiting: number) => {
    if (waiting >= MOST_WAITING)
      throw new DomainError("rate_limited", "You have asked too much at once. Try again in a second.", {
        details: { retry_after: 1 },
      });
  };
  const [ofPeople, ofDrizzle] = [turnsOfEach(AT_ONCE, refuse), turnsOfEach(AT_ONCE, refuse)];
  return (name) => {
    const sql = composing(core.people, (work) => ofPeople(name, work));
    return { ...core, sql, searches: sql, people: sql, db: inTurns(core.db, (work) => ofDrizzle(name, work)) };
  };
}
