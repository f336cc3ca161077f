// The frame of the merchant's pages.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { load } from "~/lib/api.server";
import { sectionsOf } from "~/ui/nav";
import { Shell } from "~/ui/shell";

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [merchant, account, parts] = await Promise.all([
      api.merchant.current(),
      api.account.me(),
      api.account.parts(),
    ]);
    return { merchant, account: { name: account!.name, email: account!.email }, parts };
  });

export const handle = { crumb: ({ merchant }: Awaited<ReturnType<typeof loader>>) => merchant.name };

export default function Merchant() {
  const { merchant, account, parts } = useLoaderData<typeof loader>();
  return (
    <Shell account={account} counts={{ "/merchant/notifications": merchant.unread }} sections={sectionsOf(parts)}>
      <Outlet />
    </Shell>
  );
}
