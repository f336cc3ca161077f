import { Link, useMatches } from "@remix-run/react";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { cx } from "./cx";

/** What a route exports as `handle`: its name in the breadcrumb, or how its loader's data names it. */
interface CrumbHandle {
  crumb: string | ((data: never) => string);
}

/** As long as a page of ours is called: it stays whole beside a name that is cut. */
const SHORT = 16;

/** This page and those above it, from the `handle.crumb` of their routes. */
export const useCrumbs = (): { to: string; label: string }[] =>
  useMatches().flatMap(({ handle, pathname, data }) => {
    const crumb = (handle as Partial<CrumbHandle> | undefined)?.crumb;
    if (crumb === undefined) return [];
    // A loader that failed, or was not asked after a failed action, has no data; its page shows the error instead.
    if (typeof crumb === "function" && (data === undefined || data === null)) return [];
    return [
      { to: pathname.replace(/(.)\/$/, "$1"), label: typeof crumb === "function" ? crumb(data as never) : crumb },
    ];
  });

/** Where this page lies. On a phone only the page itself. */
export function Breadcrumb() {
  const crumbs = useCrumbs();
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm">
        {crumbs.map(({ to, label }, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <Fragment key={to + label}>
              {index > 0 && (
                <li aria-hidden className="text-faint max-sm:hidden">
                  <ChevronRight className="size-3.5" />
                </li>
              )}
              <li className={cx(label.length > SHORT ? "min-w-0" : "shrink-0", !isLast && "max-sm:hidden")}>
                {isLast ? (
                  <span aria-current="page" className="block truncate font-medium" dir="auto">
                    {label}
                  </span>
                ) : (
                  <Link className="block truncate rounded text-muted hover:text-ink" dir="auto" to={to}>
                    {label}
                  </Link>
                )}
              </li>
            </Fragment>
          );
        })}
      </ol>
    </nav>
  );
}
