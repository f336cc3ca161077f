import type { LoaderFunctionArgs } from "@remix-run/node";
import { load } from "~/lib/api.server";
import { homeOf } from "~/ui/nav";

const labels: Record<string, string> = {
  "/console": "Console",
  "/admin": "Desk",
  "/merchant": "Merchant",
  "/invitation": "Your invitation",
  "/apply": "Apply for access",
};

/** Where the visitor of a public page begins, if they are logged in. Asks nothing for those who are not. */
export const ownPlace = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    if (!(await api.account.me())) return null;
    const to = homeOf(await api.account.parts());
    return { to, label: labels[to]! };
  });
