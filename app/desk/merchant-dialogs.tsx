import { Form } from "@remix-run/react";
import { type ReactNode, useRef } from "react";
import type { FormErrors } from "~/lib/api.server";
import { useFocusInvalid } from "~/lib/focus-invalid";
import { ButtonLink } from "~/ui/button";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";

interface Asked {
  closeTo: string;
  errors: FormErrors | undefined;
}

/** A dialog with one form: its fields, a way back, and the button that sends it with `intent`. */
function FormDialog({
  title,
  description,
  intent,
  label,
  closeTo,
  errors,
  children,
}: Asked & { title: string; description?: ReactNode; intent: string; label: string; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, errors);
  return (
    <Dialog closeTo={closeTo} description={description} title={title}>
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form}>
        <input name="intent" type="hidden" value={intent} />
        <FormProblem errors={errors} />
        {children}
        <DialogActions>
          <ButtonLink preventScrollReset to={closeTo}>
            Cancel
          </ButtonLink>
          <SubmitButton>{label}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** A merchant's name: a new one's, or another for one that there is. */
export function NameDialog({
  title,
  label,
  name,
  ...asked
}: Asked & { title: string; label: string; name: string | undefined }) {
  return (
    <FormDialog {...asked} intent="name" label={label} title={title}>
      <TextField
        autoComplete="off"
        defaultValue={name}
        error={asked.errors?.fields.name}
        hint="As platforms and people know the company. Its stores have names of their own."
        label="Name"
        maxLength={200}
        name="name"
      />
    </FormDialog>
  );
}

const EmailField = ({
  email,
  errors,
  hint,
}: {
  email: string | undefined;
  errors: FormErrors | undefined;
  hint: string;
}) => (
  <TextField
    autoCapitalize="none"
    autoComplete="off"
    defaultValue={email}
    error={errors?.fields.email}
    hint={hint}
    label="Email"
    maxLength={254}
    name="email"
    spellCheck={false}
    type="email"
  />
);

export function AddPersonDialog({
  merchant,
  email,
  ...asked
}: Asked & { merchant: string; email: string | undefined }) {
  return (
    <FormDialog
      {...asked}
      description={`They act for ${merchant} at once, and are told by mail.`}
      intent="add"
      label="Add"
      title="Add somebody with an account"
    >
      <EmailField email={email} errors={asked.errors} hint="The address of their account; it must be confirmed." />
    </FormDialog>
  );
}

export function InviteDialog({ merchant, email, ...asked }: Asked & { merchant: string; email: string | undefined }) {
  return (
    <FormDialog
      {...asked}
      description={`A mail with a link, good for one use within 7 days. Whoever logs in or signs up with this very address can accept, and then acts for ${merchant}.`}
      intent="invite"
      label="Send invitation"
      title="Invite somebody"
    >
      <EmailField email={email} errors={asked.errors} hint="An invitation sent to it before is void." />
    </FormDialog>
  );
}

export function RemovePersonDialog({
  person,
  merchant,
  isLast,
  closeTo,
  errors,
}: Asked & { person: { accountId: string; name: string }; merchant: string; isLast: boolean }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Remove"
      error={errors?.message}
      title={`Remove ${person.name}?`}
      values={{ intent: "remove", accountId: person.accountId }}
    >
      <p>
        From their next click on they no longer act for {merchant}. Their account stays, and so does what they decided.
        {isLast && ` Nobody is left then to decide for the stores of ${merchant}, until you add or invite somebody.`}
      </p>
    </ConfirmDialog>
  );
}

export function WithdrawDialog({ invitation, closeTo, errors }: Asked & { invitation: { id: string; email: string } }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Withdraw"
      error={errors?.message}
      title="Withdraw the invitation?"
      values={{ intent: "withdraw", id: invitation.id }}
    >
      <p>
        The link in the mail to <span className="wrap-anywhere font-medium text-ink">{invitation.email}</span> works no
        longer. You can send another at any time.
      </p>
    </ConfirmDialog>
  );
}
