import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { AccountMenu, type AccountShown } from "~/ui/account-menu";
import { ButtonLink } from "~/ui/button";
import { Mark } from "~/ui/mark";
import type { Home } from "~/ui/site-header";
import { ThemeSwitch } from "~/ui/theme-switch";

/** The frame of a page that is read or filled in outside the console: one column, who is logged in at the top. */
export function PlainPage({
  account,
  home,
  children,
}: {
  account: AccountShown | null;
  /** The way to where a visitor who is logged in begins, from a page that is no part of their way. */
  home?: Home | null;
  children: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-line border-b">
        <div className="mx-auto flex h-14 w-full max-w-7xl items-center justify-between gap-4 px-4 md:px-8">
          <Link className="flex items-center gap-2.5 rounded-md font-semibold tracking-tight" to="/">
            <Mark className="size-6" />
            Aisle
          </Link>
          <div className="flex items-center gap-2">
            <ThemeSwitch />
            {home && (
              <ButtonLink size="sm" to={home.to}>
                {home.label}
              </ButtonLink>
            )}
            {account ? (
              <AccountMenu {...account} />
            ) : (
              <ButtonLink size="sm" to="/login">
                Log in
              </ButtonLink>
            )}
          </div>
        </div>
      </header>
      <main
        className="mx-auto flex w-full max-w-3xl grow flex-col gap-6 px-4 py-8 md:px-8 md:py-12"
        id="content"
        tabIndex={-1}
      >
        {children}
      </main>
    </div>
  );
}
