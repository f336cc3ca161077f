import type { loader } from "~/routes/merchant.stores.$slug.policies";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { SelectField } from "~/ui/select-field";
import { ShownVersion } from "~/ui/shown-version";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";

export const policyTypes = {
  shipping: "Shipping",
  returns: "Returns",
  payment: "Payment",
  warranty: "Warranty",
  privacy: "Privacy",
  faq: "Other question",
  other: "Other policy",
};

type Policy = Awaited<ReturnType<typeof loader>>[number];
type Fields = Partial<Record<"question" | "answer" | "type" | "url" | "shown", string>>;

/** A new policy, or one to be changed, which may have been removed meanwhile. */
export function PolicyDialog({
  id,
  of,
  closeTo,
  errors,
  kept,
}: Asked & {
  id: string | null;
  of: Policy | undefined;
  kept: Fields | undefined;
}) {
  const fields: Fields = kept ?? (of ? { ...of, url: of.url ?? "" } : {});
  return (
    <FormDialog
      closeTo={closeTo}
      errors={errors}
      intent="save"
      label="Save"
      size="lg"
      title={of ? `Edit “${of.question}”` : id ? "Edit the policy" : "Add a policy"}
    >
      <input name="id" type="hidden" value={id ?? ""} />
      {of && <ShownVersion errors={errors} name="shown" newest={of.version} posted={kept?.shown} />}
      <SelectField
        defaultValue={fields.type ?? ""}
        error={errors?.fields.type}
        label="About"
        name="type"
        options={Object.entries(policyTypes).map(([value, label]) => ({ value, label }))}
        placeholder="Choose…"
      />
      <TextField
        defaultValue={fields.question}
        error={errors?.fields.question}
        hint="As a shopper would ask it."
        label="Question"
        maxLength={500}
        name="question"
      />
      <TextareaField
        defaultValue={fields.answer}
        error={errors?.fields.answer}
        label="Answer"
        maxLength={20_000}
        name="answer"
        rows={6}
      />
      <TextField
        defaultValue={fields.url}
        error={errors?.fields.url}
        hint="The page on your site that says this."
        inputMode="url"
        label="Source"
        name="url"
        optional
        placeholder="https://"
      />
    </FormDialog>
  );
}
