import { Form } from "@remix-run/react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { isLate } from "~/lib/is-late";
import { useDrawn, useTyping } from "~/lib/typing";
import { DialogLink } from "~/ui/dialog-link";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { FormProblem } from "~/ui/form-problem";
import { Panel } from "~/ui/panel";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";
import { AccessFields } from "./access-fields";
import type { AccessValues } from "./access-form.server";
import type { Review } from "./review";

type Kept = AccessValues & { directorySlug: string; reason: string; version: string };

/** What production starts with, unless the operator types something else. */
const PRODUCTION = { rateLimit: 600, maxKeys: 5 };

/** The forms of a decision that waits. */
export function DecisionPanel({
  review,
  errors,
  kept,
}: {
  review: Review;
  errors: FormErrors | undefined;
  kept: Kept | undefined;
}) {
  const isApplication = review.consumer.state === "under_review";
  return isApplication ? (
    <SandboxDecision {...review} />
  ) : (
    <ProductionDecision errors={errors} kept={kept} review={review} />
  );
}

function SandboxDecision({ consumer, application }: Pick<Review, "consumer" | "application">) {
  return (
    <Panel
      description="Owners can then issue keys, which read only the demo store."
      footer={
        <DialogLink dialog="reject" size="sm">
          Reject the application
        </DialogLink>
      }
      title="Approve for sandbox?"
    >
      <Form method="post" preventScrollReset>
        <input name="intent" type="hidden" value="approve-sandbox" />
        <ShownVersion name="version" newest={consumer.version} />
        {application && <ShownVersion name="applicationUpdatedAt" newest={application.updatedAt} />}
        <SubmitButton>Approve for sandbox</SubmitButton>
      </Form>
    </Panel>
  );
}

function ProductionDecision({
  review: { consumer, application },
  errors,
  kept,
}: {
  review: Review;
  errors: FormErrors | undefined;
  kept: Kept | undefined;
}) {
  const form = useAnsweredForm(errors);
  // A refused decline has posted none of these fields.
  const typed = kept?.coverage ? kept : undefined;
  const { key, values, version } = useDrawn(useTyping(form), {
    looks: `${consumer.version} ${isLate(errors)}`,
    values: typed ?? { ...consumer, ...startOf(consumer), directorySlug: consumer.directorySlug ?? "" },
    version: consumer.version,
  });
  return (
    <Panel
      description="Existing keys keep working and can read these stores immediately. Each merchant is notified once per store."
      footer={
        <>
          <DialogLink dialog="decline" size="sm">
            Decline
          </DialogLink>
          <DialogLink className="-ml-2.5" dialog="reject" size="sm" variant="ghost">
            Revoke access
          </DialogLink>
        </>
      }
      title="Approve for production?"
    >
      {/* A new form for each version, and once a conflict was read: it shows what somebody else changed meanwhile. */}
      <Form className="flex flex-col gap-5" key={key} method="post" preventScrollReset ref={form}>
        <input name="intent" type="hidden" value="approve-production" />
        <ShownVersion errors={errors} name="version" newest={version} posted={typed?.version} />
        <FormProblem errors={isLate(errors) ? undefined : errors} />
        <AccessFields application={application} errors={errors?.fields} needsSource values={values} />
        <TextField
          autoCapitalize="none"
          autoComplete="off"
          defaultValue={values.directorySlug}
          error={errors?.fields.directorySlug}
          hint="Issues /api/mcp/p/<slug>, which takes no key, for assistants' directories. Leave empty for none."
          label="Directory endpoint"
          maxLength={63}
          mono
          name="directorySlug"
          optional
          placeholder={consumer.slug}
          spellCheck={false}
        />
        <div>
          <SubmitButton>Approve for production</SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}

const startOf = ({ rateLimit, maxKeys, utmSource, slug }: Review["consumer"]) => ({
  rateLimit: Math.max(rateLimit, PRODUCTION.rateLimit),
  maxKeys: Math.max(maxKeys, PRODUCTION.maxKeys),
  utmSource: utmSource ?? slug,
});

const texts = {
  decline: {
    title: (name: string) => `Decline production access for “${name}”?`,
    about: "The sandbox keeps working, and an owner may ask again.",
    label: "Decline",
    variant: "primary",
  },
  reject: {
    title: (name: string) => `Revoke the access of “${name}”?`,
    about:
      "Every key is refused from its next request, and the directory endpoint stops answering. You can restore access later.",
    label: "Revoke access",
    variant: "danger",
  },
  /** Of a platform that never had access. */
  rejectApplication: {
    title: (name: string) => `Reject the application of “${name}”?`,
    about: "It gets no keys. You can restore the application later; it then returns to review.",
    label: "Reject",
    variant: "danger",
  },
} as const;

/** A decision that needs a reason, which the developer reads on Overview and in a mail. */
export function ReasonDialog({
  of,
  consumer,
  closeTo,
  errors,
  kept,
}: Asked & {
  of: "decline" | "reject";
  consumer: { name: string; version: number; state: Review["consumer"]["state"] };
  kept: Pick<Kept, "reason" | "version"> | undefined;
}) {
  const { title, about, label, variant } =
    texts[of === "reject" && consumer.state === "under_review" ? "rejectApplication" : of];
  return (
    <FormDialog
      closeTo={closeTo}
      description={about}
      errors={errors}
      intent={of}
      label={label}
      title={title(consumer.name)}
      variant={variant}
    >
      <ShownVersion errors={errors} name="version" newest={consumer.version} posted={kept?.version} />
      <TextareaField
        defaultValue={kept?.reason}
        error={errors?.fields.reason}
        hint="The developer sees it on Overview and by email."
        label="Reason"
        maxLength={2000}
        name="reason"
        rows={3}
      />
    </FormDialog>
  );
}
