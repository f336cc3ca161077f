// The frame of the operators' desk.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { sectionsOf } from "~/ui/nav";
import { Shell } from "~/ui/shell";

export const handle = { crumb: "Operator" };

export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [waiting, account, parts] = await Promise.all([
      api.review.countWaiting(),
      api.account.me(),
      api.account.parts(),
    ]);
    return { waiting, account: { id: account!.id, name: account!.name, email: account!.email }, parts };
  });

export default function Admin() {
  const { waiting, account, parts } = useLoaderData<typeof loader>();
  return (
    <Shell account={account} counts={{ "/admin": waiting }} sections={sectionsOf(parts)}>
      <Outlet />
    </Shell>
  );
}
