import type { ReactNode } from "react";

/** A part of the start page, with an address of its own. */
export function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-8" id={id}>
      <div className="flex flex-col gap-2">
        <h2 className="text-balance font-semibold text-2xl tracking-tight md:text-3xl" id={`${id}-title`}>
          {title}
        </h2>
        <p className="max-w-2xl text-pretty text-base text-muted leading-7">{lead}</p>
      </div>
      {children}
    </section>
  );
}

export const Point = ({ title, children }: { title: string; children: ReactNode }) => (
  <li className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-6">
    <h3 className="font-semibold text-[0.9375rem] text-ink">{title}</h3>
    <p className="text-pretty">{children}</p>
  </li>
);
