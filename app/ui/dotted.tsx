import { Children, type ReactNode } from "react";

/** One after the other, with dots between. A line ends between two, and no dot stands at its end or beginning: those are cut off. */
export const Dotted = ({ children }: { children: ReactNode }) => (
  <span className="block overflow-x-clip">
    <span className="-ml-3.5 flex flex-wrap">
      {Children.map(Children.toArray(children), (piece, index) => (
        <span className="flex min-w-0">
          <span className="w-3.5 shrink-0 text-center">{index > 0 && " · "}</span>
          <span className="own-direction min-w-0 text-left">{piece}</span>
        </span>
      ))}
    </span>
  </span>
);
