import type { Location } from "@remix-run/react";

/** Did a redirect lead to this place, as after a form that was accepted? */
export const isLedHere = ({ state }: Location): boolean =>
  (state as { _isRedirect?: true } | null)?._isRedirect === true;
