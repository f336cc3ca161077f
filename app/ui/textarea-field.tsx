import type { TextareaHTMLAttributes } from "react";
import { cx } from "./cx";
import { controlLook, Field, type FieldProps } from "./field";

/** Several lines of text; `mono` for JSON and the like. */
export function TextareaField({
  label,
  name,
  hint,
  error,
  optional,
  mono,
  rows = 4,
  ...native
}: FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "name" | "className" | "id"> & { mono?: boolean }) {
  return (
    <Field error={error} hint={hint} label={label} name={name} optional={optional}>
      {(control) => (
        <textarea
          dir="auto"
          {...native}
          {...control}
          className={cx(
            controlLook,
            "max-h-96 resize-y py-2 leading-6 read-only:bg-sunken",
            mono && "font-mono text-[0.8125rem]",
          )}
          rows={rows}
          spellCheck={!mono}
        />
      )}
    </Field>
  );
}
