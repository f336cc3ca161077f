import { isRouteErrorResponse } from "@remix-run/react";

const titles: Record<number, string> = { 403: "No access", 404: "Not found" };

/** What a page is called that could not be shown. */
export const errorTitle = (error: unknown): string =>
  `${(isRouteErrorResponse(error) && titles[error.status]) || "Error"} · Aisle`;
