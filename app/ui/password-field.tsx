import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { cx } from "./cx";
import { controlLook, Field, type FieldProps } from "./field";

/** A password, which can be shown; `autoComplete` tells password managers whether it is the old or a new one. */
export function PasswordField({
  autoComplete,
  minLength,
  autoFocus,
  ...field
}: FieldProps & { autoComplete: "current-password" | "new-password"; minLength?: number; autoFocus?: boolean }) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            autoCapitalize="none"
            autoComplete={autoComplete}
            // biome-ignore lint/a11y/noAutofocus: only where the page is nothing but this form
            autoFocus={autoFocus}
            className={cx(controlLook, "h-9 pr-10 pointer-coarse:h-11 noscript:pr-3")}
            maxLength={256}
            minLength={minLength}
            spellCheck={false}
            type={isShown ? "text" : "password"}
          />
          <button
            aria-label={isShown ? "Hide password" : "Show password"}
            className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-md text-faint hover:text-ink noscript:hidden"
            onClick={() => setShown(!isShown)}
            type="button"
          >
            <Icon aria-hidden className="size-4" />
          </button>
        </div>
      )}
    </Field>
  );
}
