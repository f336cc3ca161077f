import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "./cx";

export interface FieldProps {
  label: ReactNode;
  name: string;
  hint?: ReactNode;
  /** What is wrong and how to mend it. */
  error?: string;
  /** Says "Optional" beside the label, or where the page says it of all its fields, does not; without it the field is required. */
  optional?: boolean | "untold";
}

/** Attributes that tie a control to its label, hint and error. */
interface ControlProps {
  id: string;
  name: string;
  required: boolean;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** The frame of a field: label, control, hint, and the error, announced when it appears. */
export function Field({
  label,
  name,
  hint,
  error,
  optional = false,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const describedBy = cx(error && `${id}-error`, hint && `${id}-hint`) || undefined;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label className="wrap-anywhere min-w-0 font-medium text-ink text-sm" htmlFor={id}>
          {label}
        </label>
        {optional === true && <span className="text-faint text-xs">Optional</span>}
      </div>
      {children({
        id,
        name,
        required: !optional,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": describedBy,
      })}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      <FieldHint id={`${id}-hint`}>{hint}</FieldHint>
    </div>
  );
}

export const FieldHint = ({ id, children }: { id: string; children: ReactNode }) =>
  children ? (
    <p className="text-pretty text-[0.8125rem] text-faint leading-5" id={id}>
      {children}
    </p>
  ) : null;

/** An error beside its field; the box is always there, so that screen readers announce what comes into it. */
export function FieldError({ id, children }: { id: string; children?: string }) {
  return (
    <div aria-live="polite" className={cx(!children && "contents")} id={id}>
      {children && (
        <p className="flex items-start gap-1.5 text-[0.8125rem] text-danger leading-5">
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          <span className="wrap-anywhere min-w-0">{children}</span>
        </p>
      )}
    </div>
  );
}

/** The look of what can be typed in. */
export const controlLook =
  "w-full min-w-0 rounded-md border border-edge bg-surface px-3 text-ink text-sm placeholder:text-faint hover:border-muted " +
  "focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-raised disabled:text-muted " +
  "pointer-coarse:text-base";
