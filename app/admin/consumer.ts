import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/routes/admin.consumers.$slug";

/** The consumer on show; for pages below `routes/admin.consumers.$slug.tsx`. */
export function useConsumer() {
  return useRouteLoaderData<typeof loader>("routes/admin.consumers.$slug")!.consumer;
}
export type Consumer = ReturnType<typeof useConsumer>;
