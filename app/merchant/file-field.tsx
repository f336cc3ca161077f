import { type InputHTMLAttributes, useRef } from "react";
import { useChangedFile } from "~/lib/changed-file";
import { Field, type FieldProps } from "~/ui/field";

/** A file to upload; its form needs `encType="multipart/form-data"`. */
export function FileField({ accept, ...field }: FieldProps & Pick<InputHTMLAttributes<HTMLInputElement>, "accept">) {
  const input = useRef<HTMLInputElement>(null);
  const changed = useChangedFile(input);
  return (
    <Field {...field} error={changed ?? field.error}>
      {(control) => (
        <input
          {...control}
          accept={accept}
          className="w-full rounded-md border border-edge border-dashed bg-sunken p-3 text-muted text-sm file:mr-3 file:h-7 file:rounded-md file:border-0 file:bg-surface file:px-2.5 file:font-medium file:text-[0.8125rem] file:text-ink file:ring-1 file:ring-line aria-invalid:border-danger"
          ref={input}
          type="file"
        />
      )}
    </Field>
  );
}
