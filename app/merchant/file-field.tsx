import type { InputHTMLAttributes } from "react";
import { Field, type FieldProps } from "~/ui/field";

/** A file to upload; its form needs `encType="multipart/form-data"`. */
export function FileField({ accept, ...field }: FieldProps & Pick<InputHTMLAttributes<HTMLInputElement>, "accept">) {
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          accept={accept}
          className="w-full rounded-md border border-edge border-dashed bg-sunken p-3 text-muted text-sm file:mr-3 file:h-7 file:rounded-md file:border-0 file:bg-surface file:px-2.5 file:font-medium file:text-[0.8125rem] file:text-ink file:ring-1 file:ring-line aria-invalid:border-danger"
          type="file"
        />
      )}
    </Field>
  );
}
