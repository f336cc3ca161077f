// The frame of the developer's console: for members, on the consumer that they look at.
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunction, useLoaderData, useLocation } from "@remix-run/react";
import { FileText } from "lucide-react";
import type { ReactNode } from "react";
import { load } from "~/lib/api.server";
import { keepDataForDialog } from "~/lib/dialog";
import { FrameError, useKeptFrame } from "~/ui/frame-error";
import { developerNav, homeOf, type NavSection, type Parts, sectionsOf } from "~/ui/nav";
import { Shell } from "~/ui/shell";
import { TierBadge } from "~/ui/tier-badge";

/** Nor does a step from one tool of the Playground to another load anything: nothing of it is the server's. */
export const shouldRevalidate: ShouldRevalidateFunction = (step) => {
  const { currentUrl, nextUrl, formMethod } = step;
  const isWithin = [currentUrl, nextUrl].every(({ pathname }) => pathname === "/console/playground");
  return formMethod === undefined && isWithin && currentUrl.search !== nextUrl.search ? false : keepDataForDialog(step);
};

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [account, mine, parts] = await Promise.all([api.account.me(), api.consumer.mine(), api.account.parts()]);
    if (!parts.platform) throw elsewhere(args, parts);
    const { consumerId, role } = await api.consumer.current();
    const { name, state, revokedFrom, slug } = mine.find((membership) => membership.consumerId === consumerId)!;
    return {
      account: { id: account!.id, name: account!.name, email: account!.email },
      parts,
      current: { consumerId, role, name, state, revokedFrom, slug },
      consumers: mine.map((membership) => ({
        id: membership.consumerId,
        name: membership.name,
        state: membership.state,
        revokedFrom: membership.revokedFrom,
      })),
    };
  });

/** For who works for no platform: to where they begin. Whoever has pages, and asked for another one, is told why not that. */
function elsewhere({ request, context: { requestId } }: LoaderFunctionArgs, parts: Parts): Response {
  const isStart = /^\/console(\.data)?$/.test(new URL(request.url).pathname);
  if (isStart || !(parts.merchant || parts.operator)) return redirect(homeOf(parts));
  return Response.json({ isForPlatforms: true, requestId }, { status: 403 });
}

type Data = Awaited<ReturnType<typeof loader>>;

export const handle = { crumb: ({ current }: Data) => current.name };

const application = { to: "/console/application", label: "Application", icon: FileText };

function sections({ parts, current: { state } }: Data): NavSection[] {
  const { items } = developerNav;
  return sectionsOf(parts, { ...developerNav, items: state === "under_review" ? [...items, application] : items });
}

export default function Console() {
  const data = useLoaderData<typeof loader>();
  useKeptFrame("routes/console", data);
  return (
    <Frame {...data}>
      {/* What a page keeps of one platform goes with it. */}
      <Outlet key={data.current.consumerId} />
    </Frame>
  );
}

export const ErrorBoundary = () => <FrameError frame={Frame} of="routes/console" />;

function Frame({ children, ...data }: Data & { children: ReactNode }) {
  const { account, current, consumers } = data;
  const isOfOneRequest = useLocation().pathname.startsWith("/console/requests/");
  return (
    <Shell
      account={account}
      sections={sections(data)}
      standing={current}
      switcher={
        consumers.length > 1
          ? {
              choices: consumers.map(({ id, name, ...standing }) => ({ id, name, badge: <TierBadge of={standing} /> })),
              currentId: current.consumerId,
              label: "Switch to another platform",
              field: "consumerId",
              action: "/console/switch",
              // The other platform did not make the request.
              redirectTo: isOfOneRequest ? "/console/requests" : undefined,
            }
          : undefined
      }
    >
      {children}
    </Shell>
  );
}
