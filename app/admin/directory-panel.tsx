import { Form } from "@remix-run/react";
import { Download } from "lucide-react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { ButtonLink } from "~/ui/button";
import { ConfirmDialog } from "~/ui/confirm-dialog";
import { CopyField } from "~/ui/copy-field";
import { DialogLink } from "~/ui/dialog-link";
import type { Asked } from "~/ui/form-dialog";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import type { Consumer } from "./consumer";

/** The endpoint for assistants' directories: issued, withdrawn, and its pack. */
export function DirectoryPanel({
  consumer,
  endpoint,
  refused,
}: {
  consumer: Consumer;
  endpoint: string;
  refused: { errors: FormErrors; kept: { directorySlug: string } } | undefined;
}) {
  const { directorySlug, state, slug, version } = consumer;
  const form = useAnsweredForm(refused);
  if (directorySlug !== null) {
    return (
      <Panel
        footer={
          <>
            {state === "production" && (
              <ButtonLink
                icon={<Download aria-hidden />}
                reloadDocument
                size="sm"
                to={`/admin/consumers/${slug}/directory-pack`}
              >
                Download the pack
              </ButtonLink>
            )}
            <DialogLink dialog="withdraw" size="sm" variant="ghost">
              Withdraw
            </DialogLink>
          </>
        }
        title="Directory endpoint"
      >
        <CopyField
          hint={
            state === "production"
              ? "Takes no key, and counts against the platform's requests per minute."
              : "Answers 404 while the platform is not in production."
          }
          label="Address"
          value={`${endpoint}/p/${directorySlug}`}
        />
      </Panel>
    );
  }
  return (
    <Panel description="An address without a key, for assistants' directories." title="Directory endpoint">
      {state === "production" ? (
        <Form className="flex flex-col gap-4" method="post" preventScrollReset ref={form}>
          <input name="intent" type="hidden" value="directory" />
          <input name="version" type="hidden" value={version} />
          <TextField
            autoCapitalize="none"
            autoComplete="off"
            defaultValue={refused?.kept.directorySlug ?? slug}
            error={refused?.errors.fields.directorySlug}
            hint="The last part of its address: lower-case words and numbers, joined by hyphens. Must be unique."
            label="Slug"
            maxLength={63}
            mono
            name="directorySlug"
            spellCheck={false}
          />
          <FormProblem errors={refused?.errors} lookAgain={`/admin/consumers/${slug}`} />
          <div>
            <SubmitButton variant="secondary">Issue address</SubmitButton>
          </div>
        </Form>
      ) : (
        <p className="text-muted text-sm">Can be issued once the platform is in production.</p>
      )}
    </Panel>
  );
}

export function WithdrawDialog({ consumer, closeTo, errors }: Asked & { consumer: Consumer }) {
  return (
    <ConfirmDialog
      closeTo={closeTo}
      confirmLabel="Withdraw"
      errors={errors}
      title={`Withdraw the directory endpoint “${consumer.directorySlug}”?`}
      values={{ intent: "withdraw", version: String(consumer.version) }}
    >
      <p>Its next request gets 404. Assistants connected through it lose {consumer.name}; keys keep working.</p>
    </ConfirmDialog>
  );
}
