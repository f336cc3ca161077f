import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/routes/merchant.stores.$slug";

/** The store on show; for pages below `routes/merchant.stores.$slug.tsx`. */
export const useStore = () => useRouteLoaderData<typeof loader>("routes/merchant.stores.$slug")!;
