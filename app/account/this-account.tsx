import { useRouteLoaderData } from "@remix-run/react";
import type { loader } from "~/routes/account";

/**
 * In forms of a person's own: whose page this is, for `expectShown`. For pages below `routes/account.tsx`.
 * @param posted of a form that comes back with what was typed: that stays about whom it was about
 */
export function ForThisAccount({ posted }: { posted?: string | undefined }) {
  const { id } = useRouteLoaderData<typeof loader>("routes/account")!;
  return <input name="accountId" type="hidden" value={posted || id} />;
}
