import type { ReactNode } from "react";

/** Names and values, one under the other: the details of a thing. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid text-sm sm:grid-cols-[min(14rem,33%)_minmax(0,1fr)] sm:gap-x-4 sm:gap-y-3">
      {facts.map(([name, value]) => (
        <div className="contents last:*:pb-0" key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere min-w-0 pb-3 text-left sm:pb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
