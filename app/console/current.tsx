import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/routes/console";

const useConsole = () => useRouteLoaderData<typeof loader>("routes/console")!;

/** The consumer on show and what the person is in it; for pages below `routes/console.tsx`. */
export const useCurrent = () => useConsole().current;

/** Who is logged in. */
export const useAccount = () => useConsole().account;

/**
 * In forms that name no key or other thing of the consumer's: whom this page is about, for `api.consumer.expect`.
 * @param posted of a form that comes back with what was typed: that stays about whom it was about
 */
export function ForThisConsumer({ posted }: { posted?: string | undefined }) {
  const { consumerId } = useCurrent();
  return <input name="consumerId" type="hidden" value={posted || consumerId} />;
}
