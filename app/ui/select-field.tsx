import type { SelectHTMLAttributes } from "react";
import { useShown } from "~/lib/use-shown";
import { Field, type FieldProps } from "./field";
import { type Option, SelectBox } from "./select-box";

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
  const field = useShown<HTMLSelectElement>(follows ? String(native.defaultValue ?? "") : undefined, {
    leads: follows && native.onChange !== undefined,
  });
  return (
    <Field error={error} hint={hint} label={label} name={name} optional={optional}>
      {(control) => <SelectBox {...native} {...control} field={field} first={placeholder} options={options} />}
    </Field>
  );
}
