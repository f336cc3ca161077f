import { Form } from "@remix-run/react";
import { Search } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useShown } from "~/lib/use-shown";
import { Button, ButtonLink } from "./button";
import { controlLook, FieldError } from "./field";

/** A search as a GET form, so its answer has an address; further filters (native selects) go in as children. */
export function SearchForm({
  label,
  name = "q",
  value,
  placeholder,
  clearTo,
  error,
  children,
}: {
  label: string;
  name?: string;
  value?: string;
  placeholder?: string;
  /** The address without any filter, where there is one to clear. */
  clearTo?: string | false;
  /** What is wrong with the value. */
  error?: string;
  children?: ReactNode;
}) {
  const id = useId();
  const field = useShown<HTMLInputElement>(value);
  return (
    <Form className="group/search flex flex-wrap items-start gap-2" method="get" preventScrollReset role="search">
      <div className="flex min-w-0 max-w-80 flex-col gap-1.5 grow basis-48 max-xl:group-has-[select]/search:max-w-none max-sm:max-w-none sm:group-has-[select]/search:basis-56 max-sm:group-has-[:is(select,label)]/search:basis-full">
        <div className="relative">
          <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-faint" />
          <input
            aria-describedby={error && id}
            aria-invalid={error ? true : undefined}
            aria-label={label}
            className={`${controlLook} h-9 pl-9 pointer-coarse:h-11`}
            defaultValue={value}
            dir="auto"
            name={name}
            placeholder={placeholder ?? label}
            ref={field}
            type="search"
          />
        </div>
        <FieldError id={id}>{error}</FieldError>
      </div>
      {children}
      <div className="flex gap-2 max-sm:group-has-[select]/search:w-full">
        <Button className="max-sm:group-has-[select]/search:grow" type="submit">
          Search
        </Button>
        {clearTo && (
          <ButtonLink preventScrollReset to={clearTo} variant="ghost">
            Clear
          </ButtonLink>
        )}
      </div>
    </Form>
  );
}
