// What was done may remove the element that has the focus. Then the focus goes to what stood around it, and is not lost.
import { useEffect, useLayoutEffect } from "react";

/** Runs before the change is painted; its clean-up, before what goes is gone. (The server has no layout to wait for.) */
export const useEarlyEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** The card and the page in which an element stands, the nearest first. */
export function placesAround(element: Element | null): HTMLElement[] {
  const place = element?.parentElement?.closest<HTMLElement>("main section, main");
  return place ? [place, ...placesAround(place)] : [];
}

/** Once the change is on the page, gives a lost focus to the nearest of `places` that is still there, or else to the page's content. */
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
