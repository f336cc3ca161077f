import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/routes/console";

/** The consumer on show and what the person is in it; for pages below `routes/console.tsx`. */
export function useCurrent() {
  return useRouteLoaderData<typeof loader>("routes/console")!.current;
}
