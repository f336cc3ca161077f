import { TextField } from "~/ui/text-field";

/** A code of the authenticator app, which a phone may fill in by itself; or one that recovers. */
export function CodeField({
  label = "Code",
  hint,
  error,
  autoFocus,
  recovers = false,
}: {
  label?: string;
  hint?: string;
  error?: string | undefined;
  autoFocus?: boolean;
  /** A recovery code, which has letters too. */
  recovers?: boolean;
}) {
  return (
    <TextField
      autoCapitalize="none"
      autoComplete={recovers ? "off" : "one-time-code"}
      autoCorrect="off"
      autoFocus={autoFocus}
      error={error}
      hint={hint}
      inputMode={recovers ? "text" : "numeric"}
      label={label}
      maxLength={100}
      mono
      name="code"
      spellCheck={false}
    />
  );
}
