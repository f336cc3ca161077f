import { Form } from "@remix-run/react";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { cx } from "./cx";
import { controlLook } from "./field";

/** A search as a GET form, so its answer has an address; further filters (native selects) go in as children. */
export function SearchForm({
  label,
  name = "q",
  value,
  placeholder,
  children,
}: {
  label: string;
  name?: string;
  value?: string;
  placeholder?: string;
  children?: ReactNode;
}) {
  return (
    <Form className="flex flex-wrap items-center gap-2" method="get" preventScrollReset role="search">
      <div className={cx("relative min-w-0 grow basis-48 sm:max-w-80", children && "max-sm:basis-full")}>
        <Search aria-hidden className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-faint" />
        <input
          aria-label={label}
          className={cx(controlLook, "h-9 pl-9 pointer-coarse:h-11")}
          defaultValue={value}
          key={value}
          name={name}
          placeholder={placeholder ?? label}
          type="search"
        />
      </div>
      {children}
      <Button type="submit">Search</Button>
    </Form>
  );
}
