import type { Member } from "~/console/members-table";
import type { FormErrors } from "~/lib/api.server";
import { ChoicesField } from "~/ui/choices-field";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { ShownVersion } from "~/ui/shown-version";
import { TextField } from "~/ui/text-field";

const DAY_MS = 86_400_000;
const MAX_DAYS = 90;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const roles = [
  { value: "owner", label: "Owner", detail: "Issues, rotates and revokes keys; accepts terms; requests production." },
  { value: "developer", label: "Developer", detail: "Sees everything but key values, and uses the Playground." },
  { value: "reviewer", label: "Reviewer", detail: "Same as a developer, until the last day." },
];

const article = { owner: "an owner", developer: "a developer", reviewer: "a reviewer" };

export function AddDialog({
  of,
  closeTo,
  errors,
  kept,
}: Asked & {
  of: string;
  kept: { email: string; role: string; lastDay: string } | undefined;
}) {
  return (
    <FormDialog closeTo={closeTo} errors={errors} intent="add" label="Add" title={`Add a member to “${of}”`}>
      <TextField
        autoCapitalize="none"
        autoComplete="off"
        defaultValue={kept?.email}
        error={errors?.fields.email}
        hint="The confirmed address of an existing account."
        label="Email"
        maxLength={254}
        name="email"
        spellCheck={false}
        type="email"
      />
      <ChoicesField
        choices={roles}
        chosen={[kept?.role || "developer"]}
        error={errors?.fields.role}
        label="Role"
        name="role"
        single
      />
      <ReviewersLastDay error={errors?.fields.lastDay} value={kept?.lastDay} />
    </FormDialog>
  );
}

interface LastDay {
  value: string | undefined;
  error: string | undefined;
}

function LastDayField({ value, error, optional }: LastDay & { optional?: "untold" }) {
  return (
    <TextField
      defaultValue={value}
      error={error}
      hint={`Access ends at the end of that day, UTC, at most ${MAX_DAYS} days from now.`}
      label="Last day"
      max={dayFromNow(MAX_DAYS)}
      min={dayFromNow(0)}
      name="lastDay"
      optional={optional}
      suppressHydrationWarning
      type="date"
    />
  );
}

/**
 * Asked only where Reviewer is chosen, without script too: the access of the others does not end. What a browser without
 * scripts would not send stays to be seen.
 */
const ReviewersLastDay = (day: LastDay) => (
  <div className="hidden noscript:has-[:invalid]:block in-[form:has([value=reviewer]:checked)]:block">
    <LastDayField {...day} optional="untold" />
  </div>
);

/** Whose access it is, and which: somebody else may have changed it since. */
function Shown({
  member: { accountId, grantedAt },
  errors,
  kept,
}: {
  member: Member;
  errors: FormErrors | undefined;
  kept: { grantedAt: string } | undefined;
}) {
  return (
    <>
      <input name="id" type="hidden" value={accountId} />
      <ShownVersion errors={errors} name="grantedAt" newest={new Date(grantedAt)} posted={kept?.grantedAt} />
    </>
  );
}

export function RenewDialog({
  member,
  closeTo,
  errors,
  kept,
}: Asked & {
  member: Member;
  kept: { lastDay: string; grantedAt: string } | undefined;
}) {
  return (
    <FormDialog
      closeTo={closeTo}
      errors={errors}
      intent="renew"
      label="Renew"
      title={`Renew the access of ${member.name}`}
    >
      <Shown errors={errors} kept={kept} member={member} />
      <LastDayField error={errors?.fields.lastDay} value={kept?.lastDay ?? dayFromNow(MAX_DAYS)} />
    </FormDialog>
  );
}

export function RoleDialog({
  member,
  closeTo,
  errors,
  kept,
}: Asked & {
  member: Member;
  kept: { role: string; lastDay: string; grantedAt: string } | undefined;
}) {
  const others = roles.filter(({ value }) => value !== member.role);
  return (
    <FormDialog
      closeTo={closeTo}
      description={`Now ${article[member.role]}. The new role counts from their next request${member.role === "owner" ? "; keys they issued are not revoked" : ""}.`}
      errors={errors}
      intent="role"
      label="Change role"
      title={`Change the role of ${member.name}`}
    >
      <Shown errors={errors} kept={kept} member={member} />
      <ChoicesField
        choices={others}
        chosen={kept?.role ? [kept.role] : []}
        error={errors?.fields.role}
        label="New role"
        name="role"
        single
      />
      {member.role !== "reviewer" && <ReviewersLastDay error={errors?.fields.lastDay} value={kept?.lastDay} />}
    </FormDialog>
  );
}

export function RemoveDialog({ member, of, closeTo, errors }: Asked & { member: Member; of: string }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Remove"
      errors={errors}
      title={`Remove ${member.name} from “${of}”?`}
      values={{ intent: "remove", id: member.accountId, grantedAt: new Date(member.grantedAt).toISOString() }}
    >
      <p>They lose access from their next request. Keys they issued are not revoked.</p>
    </ConfirmDialog>
  );
}
