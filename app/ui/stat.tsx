import type { ReactNode } from "react";

/** One figure with its name; several stand in `<Stats>`. */
export function Stat({ label, value, detail }: { label: string; value: ReactNode; detail?: ReactNode }) {
  return (
    <div className="flex grow basis-40 flex-col gap-1 bg-surface p-4 md:px-6 md:py-5">
      <dt className="text-[0.8125rem] text-muted">{label}</dt>
      <dd className="font-semibold text-xl tabular-nums leading-8 tracking-tight *:whitespace-normal sm:text-2xl">
        {value}
      </dd>
      {detail && <dd className="wrap-anywhere text-balance text-[0.8125rem] text-faint">{detail}</dd>}
    </div>
  );
}

/** A row of figures with hairlines between them; where they do not all fit, the rest share a further row. */
export function Stats({ children }: { children: ReactNode }) {
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-lg border border-line bg-line shadow-card">
      {children}
    </dl>
  );
}
