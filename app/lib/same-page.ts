import { useEffect } from "react";

/** The link that a press follows in this window; null for what is opened elsewhere. */
export function followedBy(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || event.button !== 0) return null;
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey ? null : link;
}

/** What is no escape stands for itself, as to browsers. */
function named(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Where a press on a link leads on this page; null for what leads elsewhere. */
function placeOf(event: MouseEvent): HTMLElement | null {
  const link = followedBy(event);
  const { origin, pathname, search } = window.location;
  if (!link?.hash || link.origin !== origin || link.pathname !== pathname || link.search !== search) return null;
  return document.getElementById(named(link.hash.slice(1)));
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
