import { isRouteErrorResponse } from "@remix-run/react";

/** What a page is called that could not be shown. */
export const errorTitle = (error: unknown): string =>
  isRouteErrorResponse(error) && error.status === 404 ? "Not found · Aisle" : "Error · Aisle";
