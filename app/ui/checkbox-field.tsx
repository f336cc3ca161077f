import { type ReactNode, useEffect, useId, useRef } from "react";
import { cx } from "./cx";
import { FieldError, FieldHint } from "./field";

/** A tick box or radio button, in the colours of the fields beside it. */
export const boxLook = "box mt-0.5 size-4 shrink-0 pointer-coarse:size-5";

/** One box to tick. `label` may hold a link. `onChange` is told too of what was ticked before scripts came. */
export function CheckboxField({
  label,
  name,
  hint,
  error,
  value = "on",
  required,
  checked,
  defaultChecked,
  onChange,
}: {
  label: ReactNode;
  name: string;
  hint?: ReactNode;
  error?: string | undefined;
  value?: string;
  required?: boolean;
  checked?: boolean;
  defaultChecked?: boolean;
  onChange?: (isChecked: boolean) => void;
}) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is told as it does
  useEffect(() => {
    if (box.current && box.current.checked !== checked) onChange?.(box.current.checked);
  }, []);
  return (
    <div className="flex flex-col gap-1">
      <label className="flex items-start gap-2.5 text-sm leading-5">
        <input
          aria-describedby={cx(error && `${id}-error`, hint && `${id}-hint`) || undefined}
          aria-invalid={error ? true : undefined}
          className={boxLook}
          checked={checked}
          defaultChecked={defaultChecked}
          name={name}
          onChange={onChange && (({ target }) => onChange(target.checked))}
          ref={box}
          required={required}
          type="checkbox"
          value={value}
        />
        <span className="text-pretty">{label}</span>
      </label>
      <div className="pl-6.5 pointer-coarse:pl-7.5">
        <FieldError id={`${id}-error`}>{error}</FieldError>
        <FieldHint id={`${id}-hint`}>{hint}</FieldHint>
      </div>
    </div>
  );
}
