// The frame of the merchant's pages.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { FrameError, useKeptFrame } from "~/ui/frame-error";
import { sectionsOf } from "~/ui/nav";
import { Shell } from "~/ui/shell";

export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [merchant, mine, account, parts] = await Promise.all([
      api.merchant.current(),
      api.merchant.mine(),
      api.account.me(),
      api.account.parts(),
    ]);
    const merchants = mine.map(({ merchantId, name }) => ({ id: merchantId, name }));
    return { merchant, merchants, account: { id: account!.id, name: account!.name, email: account!.email }, parts };
  });

type Data = Awaited<ReturnType<typeof loader>>;

export const handle = { crumb: ({ merchant }: Data) => merchant.name };

export default function Merchant() {
  const data = useLoaderData<typeof loader>();
  useKeptFrame("routes/merchant", data);
  return (
    <Frame {...data}>
      <Outlet />
    </Frame>
  );
}

export const ErrorBoundary = () => <FrameError frame={Frame} of="routes/merchant" />;

function Frame({ merchant, merchants, account, parts, children }: Data & { children: ReactNode }) {
  return (
    <Shell
      account={account}
      counts={{ "/merchant/notifications": merchant.unread }}
      sections={sectionsOf(parts)}
      switcher={
        merchants.length > 1
          ? {
              choices: merchants,
              currentId: merchant.merchantId,
              label: "Switch to another merchant",
              field: "merchantId",
              action: "/merchant/switch",
              // The page may be about a store that the other one does not have.
              redirectTo: "/merchant",
            }
          : undefined
      }
    >
      {children}
    </Shell>
  );
}
