// What had the focus may go with what was done: then focus stays with what stood around it, and is not nowhere.
import { useEffect, useLayoutEffect } from "react";

/** Before the change is on the page, and what goes with it is gone. */
export const useEarlyEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** The card, and the page, in which an element stands. */
export function placesAround(element: Element | null): HTMLElement[] {
  const place = element?.parentElement?.closest<HTMLElement>("main section, main");
  return place ? [place, ...placesAround(place)] : [];
}

/** Once the change is on the page. @param places those around what goes, the nearest first; another page may take the place of all */
export function keepFocus(places: HTMLElement[]): void {
  requestAnimationFrame(() => {
    const content = places.length > 0 ? document.getElementById("content") : null;
    const place = places.find((one) => one.isConnected) ?? content;
    if (!place || document.activeElement !== document.body) return;
    place.tabIndex = -1;
    place.classList.add("outline-none");
    place.focus({ preventScroll: true });
  });
}
