import type { InputHTMLAttributes } from "react";
import { useShown } from "~/lib/use-shown";
import { cx } from "./cx";
import { controlLook, Field, type FieldProps } from "./field";

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "className" | "id">;

/** One line of text: give `type`, `autoComplete`, `inputMode` as the browser knows them; `mono` for keys and ids. `follows`: of a filter. */
export function TextField({
  label,
  name,
  hint,
  error,
  optional,
  mono,
  follows = false,
  ...native
}: FieldProps & Native & { mono?: boolean; follows?: boolean }) {
  const field = useShown<HTMLInputElement>(follows ? String(native.defaultValue ?? "") : undefined);
  return (
    <Field error={error} hint={hint} label={label} name={name} optional={optional}>
      {(control) => (
        <input
          // A name that is written from right to left begins at the right, and is cut at its end.
          dir={native.type === undefined || native.type === "search" ? "auto" : undefined}
          type="text"
          {...native}
          {...control}
          className={cx(
            controlLook,
            "h-9 read-only:bg-sunken pointer-coarse:h-11",
            mono && "font-mono text-[0.8125rem]",
          )}
          ref={field}
        />
      )}
    </Field>
  );
}
