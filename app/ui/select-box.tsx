import { ChevronsUpDown } from "lucide-react";
import { type ComponentPropsWithoutRef, type RefObject, useEffect, useRef } from "react";
import { cx } from "./cx";
import { controlLook } from "./field";

export interface Option {
  value: string;
  label: string;
}

/**
 * The browser's own list, with our chevron. `first`: an entry on top that chooses nothing. `onChange` is told too of what was
 * chosen before scripts came, though of nothing that the browser remembers.
 */
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
  const own = useRef<HTMLSelectElement>(null);
  const ref = field ?? own;
  const { onChange } = native;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is told as it does
  useEffect(() => {
    const isEarly = onChange && ref.current?.value !== String(native.value ?? native.defaultValue ?? "");
    if (isEarly) ref.current?.dispatchEvent(new Event("change", { bubbles: true }));
  }, []);
  return (
    <div className="relative">
      <select
        autoComplete={onChange && "off"}
        {...native}
        className={cx(controlLook, "h-9 appearance-none truncate pr-9 pointer-coarse:h-11", className)}
        ref={ref}
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
