import { ChevronsUpDown } from "lucide-react";
import { useId } from "react";
import { useShown } from "~/lib/use-shown";
import { controlLook, FieldError } from "./field";
import { type Option, withKept } from "./select-field";

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
      <div className="relative">
        <select
          aria-describedby={error && id}
          aria-invalid={error ? true : undefined}
          aria-label={label}
          className={`${controlLook} h-9 appearance-none truncate pr-9 pointer-coarse:h-11`}
          defaultValue={value ?? ""}
          name={name}
          ref={field}
        >
          <option value="">{all}</option>
          {withKept(options, value).map((option) => (
            <option dir="auto" key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3 my-auto size-3.5 text-faint"
        />
      </div>
      <FieldError id={id}>{error}</FieldError>
    </div>
  );
}
