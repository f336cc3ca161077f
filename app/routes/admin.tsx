// The frame of the operators' desk.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { FrameError, useKeptFrame } from "~/ui/frame-error";
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

type Data = Awaited<ReturnType<typeof loader>>;

export default function Admin() {
  const data = useLoaderData<typeof loader>();
  useKeptFrame("routes/admin", data);
  return (
    <Frame {...data}>
      <Outlet />
    </Frame>
  );
}

export const ErrorBoundary = () => <FrameError frame={Frame} of="routes/admin" />;

function Frame({ waiting, account, parts, children }: Data & { children: ReactNode }) {
  return (
    <Shell account={account} counts={{ "/admin": waiting }} sections={sectionsOf(parts)}>
      {children}
    </Shell>
  );
}
