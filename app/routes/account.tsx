// The frame of a person's own account: one page a matter, each with a form of its own.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { accountNav, matters } from "~/account/nav";
import { notes } from "~/account/notes";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { homeAs } from "~/lib/own-place.server";
import { DoneNote } from "~/ui/done-note";
import { FrameError, useKeptFrame } from "~/ui/frame-error";
import { PageHeader } from "~/ui/page-header";
import { Shell } from "~/ui/shell";
import { Tabs } from "~/ui/tabs";

export const handle = { crumb: "Account" };

export const shouldRevalidate = keepDataForDialog;

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [profile, parts] = await Promise.all([api.account.profile(), api.account.parts()]);
    return { ...profile, home: homeAs(parts) };
  });

type Data = Awaited<ReturnType<typeof loader>>;

export default function Account() {
  const data = useLoaderData<typeof loader>();
  useKeptFrame("routes/account", data);
  return (
    <Frame {...data}>
      <Outlet />
    </Frame>
  );
}

export const ErrorBoundary = () => <FrameError frame={Frame} of="routes/account" />;

function Frame({ id, name, email, home, children }: Data & { children: ReactNode }) {
  const pathname = useLocation().pathname.replace(/\/$/, "");
  const tabs = matters.map(({ label, short = label, to }) => ({ label: short, to, current: pathname === to }));
  return (
    <Shell account={{ id, name, email }} sections={[accountNav(home)]}>
      <div className="flex max-w-4xl flex-col gap-6">
        <PageHeader
          description={
            <>
              You are logged in as <span className="inline-block max-w-full wrap-anywhere">{email}.</span>
            </>
          }
          title={matters.find(({ to }) => to === pathname)?.label ?? "Account"}
        />
        {/* On a phone the sidebar is a drawer, so the neighbours stand here. */}
        <div className="md:hidden">
          <Tabs label="Account" tabs={tabs} />
        </div>
        <DoneNote notes={notes} />
        {children}
      </div>
    </Shell>
  );
}
