import type { FormErrors } from "~/lib/api.server";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { ShownVersion } from "~/ui/shown-version";
import { TextField } from "~/ui/text-field";

/** A merchant's name: a new one's, or another for one that there is. @param of which version is shown, and was posted: its own, or of others with its name */
export function NameDialog({
  title,
  label,
  name,
  of,
  ...asked
}: Asked & {
  title: string;
  label: string;
  name: string | undefined;
  of: { newest: string; posted: string | undefined };
}) {
  return (
    <FormDialog {...asked} intent="name" label={label} title={title}>
      <ShownVersion {...of} errors={asked.errors} name="shown" />
      <TextField
        autoComplete="off"
        defaultValue={name}
        error={asked.errors?.fields.name}
        hint="The company's name, as platforms and people know it. Stores have their own names."
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
      description={`They can act for ${merchant} right away, and are told by email.`}
      intent="add"
      label="Add"
      title="Add someone with an account"
    >
      <EmailField email={email} errors={asked.errors} hint="The confirmed address of their account." />
    </FormDialog>
  );
}

export function InviteDialog({ merchant, email, ...asked }: Asked & { merchant: string; email: string | undefined }) {
  return (
    <FormDialog
      {...asked}
      description={`Sends an email with a link that works once, within 7 days. Only someone who logs in or signs up with this address can accept; they then act for ${merchant}.`}
      intent="invite"
      label="Send invitation"
      title="Invite someone"
    >
      <EmailField email={email} errors={asked.errors} hint="This voids any earlier invitation to this address." />
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
      errors={errors}
      title={`Remove ${person.name}?`}
      values={{ intent: "remove", accountId: person.accountId, last: String(isLast) }}
    >
      <p>
        From their next request, they no longer act for {merchant}. Their account and their decisions stay.
        {isLast && ` No one is then left to manage the stores of ${merchant} until you add or invite someone.`}
      </p>
    </ConfirmDialog>
  );
}

export function WithdrawDialog({ invitation, closeTo, errors }: Asked & { invitation: { id: string; email: string } }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Withdraw"
      errors={errors}
      title="Withdraw the invitation?"
      values={{ intent: "withdraw", id: invitation.id }}
    >
      <p>
        The link in the email to <span className="wrap-anywhere font-medium text-ink">{invitation.email}</span> no
        longer works. You can send another at any time.
      </p>
    </ConfirmDialog>
  );
}
