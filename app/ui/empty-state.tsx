import { type LucideIcon, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "./button";

/** Nothing here yet: what would be here, why it is not, and the one next action. */
export function EmptyState({
  icon: Icon,
  title,
  action,
  children,
}: {
  icon: LucideIcon;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div
      className="mx-auto flex h-full max-w-md flex-col items-center justify-center gap-4 px-6 py-12 text-center"
      data-said={title}
    >
      <span className="flex size-10 items-center justify-center rounded-lg border border-line bg-raised text-muted">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="wrap-anywhere flex min-w-0 flex-col gap-1">
        <h2 className="font-semibold text-[0.9375rem]">{title}</h2>
        <p className="text-balance text-muted text-sm leading-6">{children}</p>
      </div>
      {action}
    </div>
  );
}

/** In the place of a list whose filter cannot be read. @param all the address without a filter */
export const NotSought = ({ all }: { all: string }) => (
  <EmptyState action={<ButtonLink to={all}>Show all</ButtonLink>} icon={SearchX} title="The filter was not applied">
    Fix the marked field, or show all.
  </EmptyState>
);
