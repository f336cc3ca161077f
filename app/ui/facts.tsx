import type { ReactNode } from "react";

/** Names and values: the details of a thing. Side by side where their box has the room, whatever the window has. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <div className="[container:facts/inline-size]">
      <dl className="grid text-sm sm:@min-[18rem]/facts:grid-cols-[min(14rem,33%)_minmax(0,1fr)] sm:@min-[18rem]/facts:gap-x-4 sm:@min-[18rem]/facts:gap-y-3">
        {facts.map(([name, value]) => (
          <div className="contents last:*:pb-0" key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere min-w-0 pb-3 text-left sm:@min-[18rem]/facts:pb-0">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
