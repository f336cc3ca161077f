import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { grouped } from "~/lib/numbers";
import { cx } from "./cx";

export interface Tab {
  label: string;
  to: string;
  current: boolean;
  count?: number;
}

/** So much of either end fades (`fades`, 2rem). Its padding keeps the last tab clear of it. */
const FADE = 32;

/** Views of one page, each with an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const list = useRef<HTMLUListElement>(null);
  const current = tabs.findIndex((tab) => tab.current);
  // Where they do not all fit, the current one is seen whole; also once the window has become narrower.
  useEffect(() => {
    const tab = list.current?.querySelectorAll("li")[current];
    if (!list.current || !tab) return;
    const scroller = list.current;
    const show = () => {
      // Chromium goes by where a list last stood that has nothing left to scroll.
      scroller.toggleAttribute("data-whole", scroller.scrollWidth <= scroller.clientWidth);
      const [box, its] = [scroller.getBoundingClientRect(), tab.getBoundingClientRect()];
      scroller.scrollLeft += Math.max(0, its.right - (box.right - FADE)) - Math.max(0, box.left + FADE - its.left);
    };
    const observer = new ResizeObserver(show);
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav aria-label={label} className="border-line border-b">
      <ul className="-ml-2 sm:-ml-3 fades flex data-whole:animate-none overflow-x-auto pr-8 sm:gap-1" ref={list}>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link
              aria-current={tab.current ? "page" : undefined}
              className={cx(
                "relative flex h-9 items-center gap-2 whitespace-nowrap px-2 text-sm -outline-offset-2 sm:px-3",
                "after:absolute after:inset-x-2 after:bottom-0 sm:after:inset-x-3 after:h-0.5 after:rounded-full",
                tab.current
                  ? "font-medium text-ink after:bg-accent-fill forced-colors:after:bg-[Highlight]"
                  : "text-muted hover:text-ink",
              )}
              prefetch="intent"
              preventScrollReset
              to={tab.to}
            >
              {tab.label}
              {tab.count !== undefined && (
                <span className="rounded-full bg-raised px-1.5 text-muted text-xs tabular-nums leading-5">
                  {grouped(tab.count)}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
