import { Form } from "@remix-run/react";
import { useRef } from "react";
import type { Member } from "~/console/members-table";
import type { FormErrors } from "~/lib/api.server";
import { useFocusInvalid } from "~/lib/focus-invalid";
import { ChoicesField } from "~/ui/choices-field";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FormProblem } from "~/ui/form-problem";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";

const DAY_MS = 86_400_000;
const MAX_DAYS = 90;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const roles = [
  { value: "owner", label: "Owner", detail: "Issues, rotates and revokes keys; accepts terms; requests production." },
  { value: "developer", label: "Developer", detail: "Sees everything but key values, and uses the Playground." },
  { value: "reviewer", label: "Reviewer", detail: "Same as a developer, until the last day." },
];

export function AddDialog({
  of,
  closeTo,
  errors,
  kept,
}: {
  of: string;
  closeTo: string;
  errors: FormErrors | undefined;
  kept: { email: string; role: string; lastDay: string } | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, errors);
  return (
    <Dialog closeTo={closeTo} title={`Add a member to “${of}”`}>
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form}>
        <input name="intent" type="hidden" value="add" />
        <FormProblem errors={errors} />
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
        <LastDayField error={errors?.fields.lastDay} optional value={kept?.lastDay} />
        <DialogActions cancelTo={closeTo}>
          <SubmitButton>Add</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function LastDayField({
  value,
  error,
  optional = false,
}: {
  value: string | undefined;
  error: string | undefined;
  optional?: boolean;
}) {
  return (
    <TextField
      defaultValue={value}
      error={error}
      hint={`${optional ? "For reviewers: access" : "Access"} ends at the end of that day, UTC, at most ${MAX_DAYS} days from now.`}
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

export function RenewDialog({
  member,
  closeTo,
  errors,
  kept,
}: {
  member: Member;
  closeTo: string;
  errors: FormErrors | undefined;
  kept: { lastDay: string } | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, errors);
  return (
    <Dialog closeTo={closeTo} title={`Renew the access of ${member.name}`}>
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form}>
        <input name="intent" type="hidden" value="renew" />
        <input name="id" type="hidden" value={member.accountId} />
        <FormProblem errors={errors} />
        <LastDayField error={errors?.fields.lastDay} value={kept?.lastDay ?? dayFromNow(MAX_DAYS)} />
        <DialogActions cancelTo={closeTo}>
          <SubmitButton>Renew</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function RoleDialog({
  member,
  closeTo,
  errors,
  kept,
}: {
  member: Member;
  closeTo: string;
  errors: FormErrors | undefined;
  kept: { role: string; lastDay: string } | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  useFocusInvalid(form, errors);
  const others = roles.filter(({ value }) => value !== member.role);
  return (
    <Dialog
      closeTo={closeTo}
      description={`It holds from their next request.${member.role === "owner" ? " Keys they issued keep working." : ""}`}
      title={`Change the role of ${member.name}`}
    >
      <Form className="flex flex-col gap-5" method="post" preventScrollReset ref={form}>
        <input name="intent" type="hidden" value="role" />
        <input name="id" type="hidden" value={member.accountId} />
        <FormProblem errors={errors} />
        <ChoicesField
          choices={others}
          chosen={kept?.role ? [kept.role] : []}
          error={errors?.fields.role}
          label="New role"
          name="role"
          single
        />
        {member.role !== "reviewer" && <LastDayField error={errors?.fields.lastDay} optional value={kept?.lastDay} />}
        <DialogActions cancelTo={closeTo}>
          <SubmitButton>Change role</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

export function RemoveDialog({
  member,
  of,
  closeTo,
  error,
}: {
  member: Member;
  of: string;
  closeTo: string;
  error: string | undefined;
}) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Remove"
      error={error}
      title={`Remove ${member.name} from “${of}”?`}
      values={{ intent: "remove", id: member.accountId }}
    >
      <p>They lose access from their next request. Keys they issued keep working.</p>
    </ConfirmDialog>
  );
}
