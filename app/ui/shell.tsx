import { Menu as MenuIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { AccountMenu, type AccountShown } from "./account-menu";
import { Breadcrumb } from "./breadcrumb";
import type { NavSection } from "./nav";
import { SIDEBAR_ID, Sidebar } from "./sidebar";
import { Switcher } from "./switcher";
import { ThemeSwitch } from "./theme-switch";
import { type Standing, TierBadge } from "./tier-badge";

const opens = { popovertarget: SIDEBAR_ID } as object;

/** The frame of every page behind the log-in: sidebar, top bar, and the page in `children`. */
export function Shell({
  sections,
  account,
  standing,
  switcher,
  counts,
  children,
}: {
  sections: NavSection[];
  account: AccountShown;
  /** Of the consumer on show; none for operators and merchants. */
  standing?: Standing;
  /** Only for who has several consumers, or merchants. */
  switcher?: ComponentProps<typeof Switcher> | undefined;
  /** Numbers beside navigation entries, by their address. */
  counts?: Record<string, number>;
  children: ReactNode;
}) {
  return (
    <div className="min-h-dvh md:grid print:block md:grid-cols-[15rem_minmax(0,1fr)]">
      <Sidebar counts={counts} sections={sections} switcher={switcher && <Switcher {...switcher} />} />
      <div className="flex min-w-0 flex-col border-line md:border-l print:border-0">
        <header className="sticky print:static [@media(max-height:20rem)]:static top-0 z-30 shrink-0 border-line border-b bg-canvas">
          <div className="mx-auto flex h-14 w-full max-w-7xl items-center gap-3 px-4 md:px-8">
            <button
              {...opens}
              aria-label="Open the menu"
              className="-ml-2 flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-ink md:hidden"
              type="button"
            >
              <MenuIcon aria-hidden className="size-5" />
            </button>
            <div className="min-w-0 grow">
              <Breadcrumb />
            </div>
            {standing && <TierBadge of={standing} />}
            <div className="flex items-center gap-2">
              <ThemeSwitch />
              <AccountMenu {...account} />
            </div>
          </div>
        </header>
        <main
          className="mx-auto flex w-full max-w-7xl grow flex-col gap-6 px-4 py-6 md:px-8 md:py-8"
          id="content"
          tabIndex={-1}
        >
          {children}
        </main>
      </div>
    </div>
  );
}
