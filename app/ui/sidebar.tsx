import { Link, useLocation, useNavigation } from "@remix-run/react";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";
import { Mark } from "./mark";
import { isAt, type NavSection } from "./nav";

export const SIDEBAR_ID = "sidebar";

// A popover: the browser opens and closes it, scripts or not. React 18 does not know the attributes by name.
const drawer = { popover: "auto" } as object;
const closes = { popovertarget: SIDEBAR_ID, popovertargetaction: "hide" } as object;

/** Mark, switcher and pages: at the left of a wide window, a drawer on a phone. `counts` by address, such as reviews waiting. */
export function Sidebar({
  sections,
  switcher,
  counts = {},
}: {
  sections: NavSection[];
  switcher?: ReactNode;
  counts?: Record<string, number>;
}) {
  const ref = useRef<HTMLElement>(null);
  const { pathname, key } = useLocation();
  const coming = useNavigation().location?.pathname;
  const isOwnDocument = sections.some(({ items }) => items.some((item) => item.ownDocument && item.to === pathname));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step closes the drawer, also one to the page that is open
  useEffect(() => {
    if (ref.current?.matches(":popover-open")) ref.current.hidePopover();
  }, [key]);
  return (
    <aside
      {...drawer}
      aria-label="Sidebar"
      className="sidebar flex-col gap-5 overflow-y-auto bg-canvas px-3 pb-4"
      id={SIDEBAR_ID}
      onBlur={({ currentTarget: drawer, relatedTarget }) => {
        // Focus would go on beneath it.
        const isLeft = relatedTarget && !drawer.contains(relatedTarget);
        if (isLeft && drawer.matches(":popover-open")) drawer.hidePopover();
      }}
      ref={ref}
    >
      <div className="flex h-14 shrink-0 items-center justify-between px-2">
        <Link className="flex h-10 items-center gap-2.5 rounded-md font-semibold tracking-tight" to="/">
          <Mark className="size-6" />
          Aisle
        </Link>
        <button
          {...closes}
          aria-label="Close the menu"
          className="flex size-10 items-center justify-center rounded-md text-muted hover:bg-raised md:hidden"
          type="button"
        >
          <X aria-hidden className="size-5" />
        </button>
      </div>
      {switcher}
      <nav aria-label="Main" className="flex flex-col gap-5">
        {sections.map(({ title, items }) => (
          <div className="flex flex-col gap-1" key={title}>
            {sections.length > 1 && <h2 className="px-2 pb-1 font-medium text-faint text-xs">{title}</h2>}
            <ul className="flex flex-col gap-0.5">
              {items.map((item) => {
                const { to, label, icon: Icon } = item;
                const isCurrent = isAt(pathname, item);
                return (
                  <li key={to}>
                    <Link
                      aria-current={isCurrent ? "page" : undefined}
                      className={cx(
                        "flex h-8 items-center gap-2.5 rounded-md px-2 text-sm -outline-offset-2 pointer-coarse:h-11",
                        isCurrent
                          ? "bg-raised font-medium text-ink forced-colors:border [&>svg]:text-accent"
                          : "text-muted hover:bg-raised hover:text-ink",
                        coming !== undefined && isAt(coming, item) && "bg-raised",
                      )}
                      prefetch={item.ownDocument || isOwnDocument ? "none" : "intent"}
                      reloadDocument={item.ownDocument || isOwnDocument}
                      to={to}
                    >
                      <Icon aria-hidden className="size-4 shrink-0" />
                      <span className="grow">{label}</span>
                      {(counts[to] ?? 0) > 0 && (
                        <span className="rounded-full bg-accent-soft px-1.5 font-medium text-accent text-xs tabular-nums leading-5">
                          {grouped(counts[to]!)}
                        </span>
                      )}
                    </Link>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </nav>
    </aside>
  );
}
