// A page is about whoever was logged in when it came. Another tab may have logged in as somebody else since: it leaves word
// here, so that a form is not sent in that person's name, nor lost in a page that they may not see.
import { useEffect } from "react";

const NAME = "aisle.account";

let shown: { id: string; email: string } | undefined;

/** Says whose the page is; in the menu of the account, on every page of one. */
export function useWhosePage(id: string, email: string): void {
  useEffect(() => {
    shown = { id, email };
    try {
      localStorage.setItem(NAME, id);
    } catch {
      // Full, or not allowed: then the server alone refuses.
    }
    return () => {
      shown = undefined;
    };
  }, [id, email]);
}

/** Somebody else is logged in by now than who opened the page: nothing was sent. */
export class SomebodyElse extends Error {
  constructor(readonly email: string) {
    super("Another account is logged in now.");
  }
}

/** @throws SomebodyElse */
export function expectSamePerson(): void {
  const here = shown;
  if (here && (lastSeen() ?? here.id) !== here.id) throw new SomebodyElse(here.email);
}

function lastSeen(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
