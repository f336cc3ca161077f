import { Link } from "@remix-run/react";
import { Mark } from "./mark";
import { ThemeSwitch } from "./theme-switch";

/** The head of a page that has one thing to say or to ask: the way to the start page, and the theme. */
export function BareHeader() {
  return (
    <header className="flex h-14 items-center justify-between px-4 md:px-8">
      <Link className="flex h-10 items-center gap-2.5 rounded-md font-semibold tracking-tight" to="/">
        <Mark className="size-6" />
        Aisle
      </Link>
      <ThemeSwitch />
    </header>
  );
}
