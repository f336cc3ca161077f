import type { FormErrors } from "~/lib/api.server";
import { PasswordField } from "~/ui/password-field";

/** The password that holds, asked for again before an account changes. @param errors of the form that it is in */
export const CurrentPassword = ({ errors }: { errors: FormErrors | undefined }) => (
  <PasswordField
    autoComplete="current-password"
    autoFocus={Boolean(errors?.fields.currentPassword)}
    error={errors?.fields.currentPassword}
    label="Current password"
    name="currentPassword"
  />
);
