import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { homeOf, type Parts } from "~/ui/nav";
import type { Home } from "~/ui/site-header";

const labels: Record<string, string> = {
  "/console": "Console",
  "/admin": "Operator pages",
  "/merchant": "Merchant pages",
  "/invitation": "Your invitation",
  "/apply": "Apply for access",
};

/** Where a person begins, and what that is called. */
export function homeAs(parts: Parts): Home {
  const to = homeOf(parts);
  return { to, label: labels[to]! };
}

/** Where the visitor of a public page begins, if they are logged in. Asks nothing for those who are not. */
export const ownPlace = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    if (!(await api.account.me())) return null;
    return homeAs(await api.account.parts());
  });

/** Is the console theirs, or what they would have next? Operators and merchants who work for no platform have other pages. */
export const mayHaveConsole = (home: Home | null): boolean => home?.to !== "/admin" && home?.to !== "/merchant";
