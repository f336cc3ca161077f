import { ChevronsUpDown } from "lucide-react";
import type { SelectHTMLAttributes } from "react";
import { useShown } from "~/lib/use-shown";
import { cx } from "./cx";
import { controlLook, Field, type FieldProps } from "./field";

export interface Option {
  value: string;
  label: string;
}

/** What a list offers, and what an address says instead: shown, so that it can be seen and mended. */
export const withKept = (options: Option[], value: string | undefined): Option[] =>
  !value || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];

/** One of several, as the browser's own list: it works everywhere, scripts or not. `placeholder` asks for a choice. `follows`: of a filter. */
export function SelectField({
  label,
  name,
  hint,
  error,
  optional,
  options,
  placeholder,
  follows = false,
  ...native
}: FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "name" | "className" | "id"> & {
    options: Option[];
    placeholder?: string;
    follows?: boolean;
  }) {
  const field = useShown<HTMLSelectElement>(follows ? String(native.defaultValue ?? "") : undefined);
  return (
    <Field error={error} hint={hint} label={label} name={name} optional={optional}>
      {(control) => (
        <div className="relative">
          <select
            {...native}
            {...control}
            className={cx(controlLook, "h-9 appearance-none truncate pr-9 pointer-coarse:h-11")}
            ref={field}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
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
      )}
    </Field>
  );
}
