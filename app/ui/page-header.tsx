import type { ReactNode } from "react";

/** The head of a page: its one h1, a line about it, and what can be done here. */
export function PageHeader({
  title,
  description,
  badge,
  actions,
}: {
  title: string;
  description?: ReactNode;
  badge?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="flex min-w-0 grow basis-72 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="wrap-anywhere text-left font-semibold text-[1.375rem] leading-8 tracking-tight" dir="auto">
            {title}
          </h1>
          {badge}
        </div>
        {description && (
          <p className="wrap-anywhere max-w-2xl text-pretty text-muted text-sm leading-6">{description}</p>
        )}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 max-sm:has-[select]:grow">{actions}</div>}
    </div>
  );
}
