import { useEffect } from "react";

/** The link that a press follows in this window; null for what is opened elsewhere. */
export function followedBy(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || event.button !== 0) return null;
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey ? null : link;
}

/** Can its escapes be decoded? */
function isDecodable(fragment: string): boolean {
  try {
    decodeURIComponent(fragment);
    return true;
  } catch {
    return false;
  }
}

/** Takes a fragment that cannot be decoded out of the address: the router would fail at it on and on. Called once, before there is one. */
export function dropOddPlaces(): void {
  const drop = () => {
    const { pathname, search, hash } = window.location;
    if (!isDecodable(hash)) window.history.replaceState(window.history.state, "", pathname + search);
  };
  drop();
  window.addEventListener("popstate", drop, true);
}

/** The place on this page to which a pressed link leads; null for a link that leads elsewhere. */
function placeOf(event: MouseEvent): HTMLElement | null {
  const link = followedBy(event);
  const { origin, pathname, search } = window.location;
  if (!link?.hash || link.origin !== origin || link.pathname !== pathname || link.search !== search) return null;
  const name = link.hash.slice(1);
  // As browsers look it up: what cannot be decoded as it is.
  return document.getElementById(isDecodable(name) ? decodeURIComponent(name) : name);
}

/**
 * The router takes a link to a place on the same page (`#…`) for a navigation: that breaks off the form that is being sent, and
 * forgets the answer of the last one, with what is shown once and what was typed. So while there is either, such a link leads to
 * its place without the router, and leaves the address as it is. Stands once, in root.tsx.
 */
export function useSamePageLinks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const { actionData, navigation } = window.__remixRouter.state;
      const place = actionData || navigation.formData ? placeOf(event) : null;
      if (!place) return;
      event.preventDefault();
      place.focus({ preventScroll: true });
      place.scrollIntoView();
    };
    document.addEventListener("click", onClick, true);
    return () => document.removeEventListener("click", onClick, true);
  }, []);
}
