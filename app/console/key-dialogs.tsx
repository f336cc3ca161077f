import { ForThisConsumer } from "~/console/current";
import { STORED } from "~/ui/ask-before-leaving";
import { Banner } from "~/ui/banner";
import { ButtonLink } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox-field";
import { ChoicesField } from "~/ui/choices-field";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { Dialog, DialogActions } from "~/ui/dialog";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { Mono } from "~/ui/mono";
import { scopeChoices } from "~/ui/scopes";
import { TextField } from "~/ui/text-field";
import { Time } from "~/ui/time";
import { type Key, shown } from "./keys";
import { NewKey } from "./new-key";

/** What was typed, where a form comes back. */
interface KeptKey {
  name: string;
  scopes: string[];
  expires: string;
  consumerId: string;
}

/** @param attempt tells this form from the next one: sent again, it issues nothing more */
export function IssueDialog({
  closeTo,
  attempt,
  scopes,
  errors,
  kept,
}: Asked & {
  attempt: string;
  scopes: string[];
  kept: KeptKey | undefined;
}) {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return (
    <FormDialog closeTo={closeTo} errors={errors} intent="issue" label="Issue key" size="long" title="Issue a key">
      <input name="attempt" type="hidden" value={attempt} />
      <ForThisConsumer posted={kept?.consumerId} />
      <TextField
        autoComplete="off"
        defaultValue={kept?.name}
        error={errors?.fields.name}
        hint="For example, where it will be used."
        label="Name"
        maxLength={100}
        name="name"
      />
      <ChoicesField
        choices={scopeChoices(scopes)}
        chosen={kept?.scopes ?? scopes}
        error={errors?.fields.scopes}
        hint="Keep only what this key needs: it sees only the tools of its scopes."
        label="Scopes"
        name="scopes[]"
      />
      <TextField
        defaultValue={kept?.expires}
        error={errors?.fields.expiresAt}
        hint="The key works until the end of that day, UTC. Leave empty for no expiry."
        label="Last day"
        min={tomorrow}
        name="expires"
        optional
        suppressHydrationWarning
        type="date"
      />
    </FormDialog>
  );
}

export function RotateDialog({ of, closeTo, errors }: Asked & { of: Key }) {
  return (
    <FormDialog
      closeTo={closeTo}
      description={
        <>
          A new key replaces <Mono>{shown(of)}</Mono>, with the same scopes and expiry. The old one keeps working, as
          superseded, until you revoke it, so you can switch without downtime.
        </>
      }
      errors={errors}
      intent="rotate"
      label="Rotate key"
      title={`Rotate “${of.name}”`}
    >
      <ForThisConsumer />
      <input name="id" type="hidden" value={of.id} />
      {of.expiresSoon && (
        <Banner title="The new key expires soon, too" tone="warning">
          It expires <Time at={of.expiresAt} />, like the old one. For a later expiry, issue another key instead.
        </Banner>
      )}
      <CheckboxField
        hint="For a key that may have leaked: its next call is refused."
        label="Revoke the old key now"
        name="revokeOld"
      />
    </FormDialog>
  );
}

/** @param consumerId whose console it is, where it is one's own */
export function RevokeDialog({ of, closeTo, errors, consumerId }: Asked & { of: Key; consumerId?: string }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Revoke key"
      errors={errors?.fields.confirm ? undefined : errors}
      refused={errors}
      title={`Revoke “${of.name}”?`}
      typeName={of.name}
      values={{ intent: "revoke", id: of.id, ...(consumerId && { consumerId }) }}
    >
      <p>
        The next call with <Mono>{shown(of)}</Mono> is refused with 401. A revoked key cannot be restored.
        {!consumerId && " Its owners get an email."}
      </p>
      {of.before && (
        <p>
          The key before it, <Mono>{shown(of.before)}</Mono>, is not revoked with it: it is the active one again, and
          counts in its place.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** The value, in the answer to the form that made it. Going on is a fresh page without it. */
export function StoreDialog({ name, ...issued }: { name: string; value: string; scopes: string[]; endpoint: string }) {
  return (
    <Dialog closeTo="/console/keys" mustAnswer size="lg" title={`Your new key “${name}”`}>
      <NewKey {...issued} />
      <DialogActions>
        <ButtonLink replace state={STORED} to="/console/keys" variant="primary">
          I have stored it
        </ButtonLink>
      </DialogActions>
    </Dialog>
  );
}
