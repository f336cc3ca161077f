import { PasswordField } from "~/ui/password-field";

/** A password being chosen. */
export function NewPassword({
  name = "password",
  label = "Password",
  hint = "At least 10 characters. Length is what counts: a few words are fine.",
  error,
  autoFocus,
}: {
  name?: string;
  label?: string;
  hint?: string;
  error?: string;
  autoFocus?: boolean;
}) {
  return (
    <PasswordField
      autoComplete="new-password"
      autoFocus={autoFocus}
      error={error}
      hint={hint}
      label={label}
      minLength={10}
      name={name}
    />
  );
}

/** Tells a password manager whose password the form is about. */
export const PasswordOf = ({ email }: { email: string }) => (
  <input autoComplete="username" hidden name="username" readOnly type="email" value={email} />
);
