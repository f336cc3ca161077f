import { type ReactNode, useId } from "react";
import { boxLook } from "./checkbox-field";
import { cx } from "./cx";
import { FieldError } from "./field";

export interface Choice {
  value: string;
  label: string;
  detail?: string;
  disabled?: boolean;
  mono?: boolean;
}

/** Several boxes to tick, or with `single` one of several, each with a line that explains it. */
export function ChoicesField({
  label,
  name,
  choices,
  chosen = [],
  single = false,
  hint,
  error,
}: {
  label: string;
  name: string;
  choices: Choice[];
  chosen?: string[];
  single?: boolean;
  hint?: ReactNode;
  error?: string;
}) {
  const id = useId();
  return (
    <fieldset
      aria-describedby={cx(error && `${id}-error`, hint && `${id}-hint`) || undefined}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      {hint && (
        <p className="-mt-1 text-pretty text-[0.8125rem] text-faint leading-5" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface">
        {choices.map(({ value, label, detail, disabled, mono }) => (
          <label
            className={cx("flex items-start gap-3 px-3 py-2.5", disabled ? "opacity-60" : "hover:bg-raised")}
            key={value}
          >
            <input
              aria-invalid={error ? true : undefined}
              className={boxLook}
              defaultChecked={chosen.includes(value)}
              disabled={disabled}
              name={name}
              required={single}
              type={single ? "radio" : "checkbox"}
              value={value}
            />
            <span className="flex min-w-0 flex-col">
              <span className={cx("text-sm leading-5", mono ? "font-mono text-[0.8125rem]" : "font-medium")}>
                {label}
              </span>
              {detail && <span className="text-pretty text-[0.8125rem] text-muted leading-5">{detail}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}
