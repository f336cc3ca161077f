import { ChevronsUpDown } from "lucide-react";
import type { ComponentPropsWithoutRef, RefObject } from "react";
import { cx } from "./cx";
import { controlLook } from "./field";

export interface Option {
  value: string;
  label: string;
}

/** The browser's own list, with our chevron. `first`: an entry on top that chooses nothing. */
export function SelectBox({
  options,
  first,
  className,
  field,
  ...native
}: Omit<ComponentPropsWithoutRef<"select">, "children"> & {
  options: readonly Option[];
  first?: string;
  field?: RefObject<HTMLSelectElement>;
}) {
  return (
    <div className="relative">
      <select
        {...native}
        className={cx(controlLook, "h-9 appearance-none truncate pr-9 pointer-coarse:h-11", className)}
        ref={field}
      >
        {first !== undefined && <option value="">{first}</option>}
        {options.map(({ value, label }) => (
          // What is chosen is shown as its option is written: from right to left, where it is.
          <option dir="auto" key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-3.5 text-faint"
      />
    </div>
  );
}
