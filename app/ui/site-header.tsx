import { Link } from "@remix-run/react";
import { ButtonLink } from "./button";
import { Mark } from "./mark";
import { ThemeSwitch } from "./theme-switch";

export interface Home {
  to: string;
  label: string;
}

/** The head of the pages that anyone may see. `home`: where a visitor who is logged in begins. */
export function SiteHeader({ home }: { home: Home | null }) {
  return (
    <header className="flex h-16 items-center gap-2">
      <Link
        className="mr-4 flex h-10 max-[22.5rem]:mr-0 items-center gap-2.5 rounded-md font-semibold tracking-tight"
        to="/"
      >
        <Mark />
        Aisle
      </Link>
      <nav aria-label="About" className="flex grow gap-1 max-md:hidden print:hidden">
        {["Tools", "Developers", "Merchants"].map((label) => (
          <a
            className="rounded-md px-3 py-1.5 text-muted text-sm hover:bg-raised hover:text-ink"
            href={`/#${label.toLowerCase()}`}
            key={label}
          >
            {label}
          </a>
        ))}
        <Link className="rounded-md px-3 py-1.5 text-muted text-sm hover:bg-raised hover:text-ink" to="/docs">
          Docs
        </Link>
      </nav>
      {/* Whoever has an account gets in on the narrowest phone, too. */}
      <div className="ml-auto flex items-center gap-2 max-[22.5rem]:gap-1">
        <ThemeSwitch />
        {home ? (
          <ButtonLink to={home.to}>{home.label}</ButtonLink>
        ) : (
          <>
            <ButtonLink className="max-[22.5rem]:px-2" to="/login" variant="ghost">
              Log in
            </ButtonLink>
            <ButtonLink className="max-[22.5rem]:px-2.5" to="/signup">
              Sign up
            </ButtonLink>
          </>
        )}
      </div>
    </header>
  );
}
