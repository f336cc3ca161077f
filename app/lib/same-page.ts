import { useEffect } from "react";

/** The link that a press follows in this window; null for what is opened elsewhere. */
export function followedBy(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || event.button !== 0) return null;
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey ? null : link;
}

/** Can it be read, or are there escapes in it that are none? */
function isName(fragment: string): boolean {
  try {
    decodeURIComponent(fragment);
    return true;
  } catch {
    return false;
  }
}

/** An address with a place that is no name is its page's alone: the router would fail to find that place on and on. Called once, before there is a router. */
export function dropOddPlaces(): void {
  const drop = () => {
    const { pathname, search, hash } = window.location;
    if (!isName(hash)) window.history.replaceState(window.history.state, "", pathname + search);
  };
  drop();
  window.addEventListener("popstate", drop, true);
}

/** Where a press on a link leads on this page; null for what leads elsewhere. */
function placeOf(event: MouseEvent): HTMLElement | null {
  const link = followedBy(event);
  const { origin, pathname, search } = window.location;
  if (!link?.hash || link.origin !== origin || link.pathname !== pathname || link.search !== search) return null;
  const name = link.hash.slice(1);
  // As browsers take it.
  return document.getElementById(isName(name) ? decodeURIComponent(name) : name);
}

/**
 * The router takes a link to a place on the same page for a navigation: it breaks off the form that is being sent, and
 * forgets what it was answered, with what is shown once and what was typed. Meanwhile, such links lead to their place
 * without it, and leave the address as it is. Stands once, in root.tsx.
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
