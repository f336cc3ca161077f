import { useId } from "react";
import { useShown } from "~/lib/use-shown";
import { FieldError } from "./field";
import { type Option, SelectBox } from "./select-box";
import { withKept } from "./select-field";

/** A list beside a search (`SearchForm`) that narrows it; its first entry, `all`, does not. */
export function FilterSelect({
  label,
  name,
  value,
  all,
  options,
  error,
}: {
  label: string;
  name: string;
  value: string | undefined;
  all: string;
  options: Option[];
  error?: string;
}) {
  const id = useId();
  const field = useShown<HTMLSelectElement>(value);
  return (
    <div className="flex min-w-0 grow flex-col gap-1.5 basis-36 xl:max-w-52 xl:grow-0 xl:basis-auto">
      <SelectBox
        aria-describedby={error && id}
        aria-invalid={error ? true : undefined}
        aria-label={label}
        defaultValue={value ?? ""}
        field={field}
        first={all}
        name={name}
        options={withKept(options, value)}
      />
      <FieldError id={id}>{error}</FieldError>
    </div>
  );
}
