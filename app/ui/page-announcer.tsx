import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { withoutDialog } from "~/lib/dialog";

/**
 * Tells screen readers what came without a reload, which they would not notice: for another page its title; for another search,
 * tab or page of a list what is shown then. Dialogs, and notes of what was done, speak for themselves.
 */
export function PageAnnouncer() {
  const [said, say] = useState({ key: "", words: "" });
  const { pathname, search, key } = useLocation();
  const { state } = useNavigation();
  const shown = shownBy(search);
  const last = useRef({ pathname, shown });
  useEffect(() => {
    const before = last.current;
    if (state !== "idle" || (before.pathname === pathname && before.shown === shown)) return;
    last.current = { pathname, shown };
    say({ key, words: before.pathname === pathname ? listSaid() : document.title });
  }, [pathname, shown, key, state]);
  return (
    <p aria-live="polite" className="sr-only">
      {/* By its key it is new, and read out, also in the same words as before. */}
      <span key={said.key}>{said.words}</span>
    </p>
  );
}

/** What an address says of what its page shows, in one order. */
function shownBy(search: string): string {
  const params = withoutDialog(new URLSearchParams(search));
  for (const name of ["done", "index"]) params.delete(name);
  params.sort();
  return params.toString();
}

/** What the list that was turned or searched says of itself (`data-said`). The focus tells which: it is in that list, or above it. */
function listSaid(): string {
  // In the Playground the answer to the last call stays when another tool is chosen: it is not what was asked for.
  const all = document.querySelectorAll<HTMLElement>("main [data-said]:not(#answer *)");
  const lists = [...all].filter((one) => one.checkVisibility());
  const focus = document.activeElement ?? document.body;
  const place = focus.closest("main section");
  const list =
    lists.find((one) => place?.contains(one)) ??
    lists.find((one) => focus.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) ??
    lists[0];
  const notice = document.querySelector<HTMLElement>("main [data-said-first]");
  return [notice?.textContent, list?.dataset.said].filter(Boolean).join(" ");
}
