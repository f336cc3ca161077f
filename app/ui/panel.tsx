import type { ReactNode } from "react";
import { cx } from "./cx";

/** A card of the page with a heading; `flush` for a table or list that goes to the edges. */
export function Panel({
  title,
  description,
  actions,
  footer,
  flush = false,
  children,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  flush?: boolean;
  children?: ReactNode;
}) {
  return (
    <section className="flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface shadow-card">
      {title && (
        <div
          className={cx(
            "flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-4 pt-4 md:px-6 md:pt-5",
            flush && "pb-4",
            !flush && !children && "pb-4 md:pb-6",
          )}
        >
          <div className="flex min-w-0 grow basis-52 flex-col gap-0.5">
            <h2 className="wrap-anywhere text-balance font-semibold text-[0.9375rem] leading-6">{title}</h2>
            {description && (
              <p className="wrap-anywhere text-pretty text-[0.8125rem] text-muted leading-5">{description}</p>
            )}
          </div>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children && (
        <div className={flush ? (title ? "border-line border-t grow" : "grow") : "grow p-4 md:p-6"}>{children}</div>
      )}
      {footer && (
        <div className="panel-foot flex flex-wrap items-center justify-between gap-3 text-pretty border-line border-t bg-sunken px-4 py-3 text-[0.8125rem] text-muted md:px-6">
          {footer}
        </div>
      )}
    </section>
  );
}
