import { Form } from "@remix-run/react";
import { type ReactNode, useId } from "react";
import { useAnsweredForm } from "~/lib/answered-form";
import type { FormErrors } from "~/lib/api.server";
import { useDrawn, useTyping } from "~/lib/typing";
import { AskBeforeLeaving } from "~/ui/ask-before-leaving";
import { CheckboxField } from "~/ui/checkbox-field";
import { cx } from "~/ui/cx";
import { Dialog, DialogActions } from "~/ui/dialog";
import { FieldError, FieldHint } from "~/ui/field";
import { FormProblem } from "~/ui/form-problem";
import { ShownVersion } from "~/ui/shown-version";
import { SubmitButton } from "~/ui/submit-button";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";
import {
  fieldsOf,
  type Program,
  type ProgramFields,
  type RuleFields,
  ruleRows,
  type TierFields,
  tierRows,
} from "./program-fields";

/** A new programme, or one to be changed, which may have been removed meanwhile: all of it in one form, saved as a whole. */
export function ProgramDialog({
  id,
  of,
  isOnly,
  closeTo,
  errors,
  kept,
}: {
  id: string | null;
  of: Program | undefined;
  /** The store has no other: it is primary whatever the box says. */
  isOnly: boolean;
  closeTo: string;
  errors: FormErrors | undefined;
  kept: ProgramFields | undefined;
}) {
  const form = useAnsweredForm(errors);
  const typing = useTyping(form);
  const {
    key,
    values: shown,
    version,
  } = useDrawn(typing, {
    looks: errors?.requestId ?? "",
    values: kept ?? fieldsOf(of),
    version: of?.version,
  });
  const wrong = errors?.fields ?? {};
  return (
    <Dialog
      closeTo={closeTo}
      size="lg"
      title={of ? `Edit “${of.name}”` : id ? "Edit the loyalty programme" : "Add a loyalty programme"}
    >
      <Form
        className="flex flex-col gap-6"
        key={key}
        method="post"
        // A row that is emptied is dropped, so no field is required before its row is.
        noValidate
        preventScrollReset
        ref={form}
        replace
      >
        <input name="intent" type="hidden" value="save" />
        <input name="id" type="hidden" value={id ?? ""} />
        {version && <ShownVersion errors={errors} name="shown" newest={version} posted={kept?.shown} />}
        <FormProblem errors={errors} />
        <TextField defaultValue={shown.name} error={wrong.name} label="Name" maxLength={200} name="name" />
        <TextareaField
          defaultValue={shown.description}
          error={wrong.description}
          label="What members get"
          name="description"
          rows={2}
        />
        <TextField
          defaultValue={shown.termsUrl}
          error={wrong.termsUrl}
          inputMode="url"
          label="Terms"
          name="termsUrl"
          placeholder="https://"
        />
        {!isOnly && (
          <>
            <ShownVersion
              errors={errors}
              name="wasPrimary"
              newest={fieldsOf(of).wasPrimary}
              posted={kept?.wasPrimary}
            />
            <CheckboxField
              defaultChecked={shown.isPrimary}
              error={wrong.isPrimary}
              hint="Points are worked out for the primary programme; the others are listed beside it."
              label="Primary programme"
              name="isPrimary"
            />
          </>
        )}
        <Rows
          error={wrong.tiers}
          hint="One tier must start at 0 points. Leave a row empty to remove it."
          legend="Tiers"
        >
          {tierRows(shown.tiers).map((tier, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <TierRow key={i} n={i} of={tier} spare={i >= shown.tiers.length} wrong={wrong} />
          ))}
        </Rows>
        <Rows
          error={wrong.rules}
          hint="The first rule that fits a product counts. Leave a row empty to remove it."
          legend="Earning rules"
        >
          {ruleRows(shown.rules).map((rule, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <RuleRow key={i} n={i} of={rule} spare={i >= shown.rules.length} wrong={wrong} />
          ))}
        </Rows>
        <DialogActions cancelTo={closeTo}>
          <SubmitButton>Save</SubmitButton>
        </DialogActions>
      </Form>
      <AskBeforeLeaving typing={typing} />
    </Dialog>
  );
}

const Rows = ({
  legend,
  hint,
  error,
  children,
}: {
  legend: string;
  hint: string;
  error: string | undefined;
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <fieldset aria-describedby={cx(`${id}-hint`, error && `${id}-error`)} className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 font-medium text-sm">{legend}</legend>
      <FieldHint id={`${id}-hint`}>{hint}</FieldHint>
      <div className={cx(!error && "contents")} data-refused={error && ""} tabIndex={-1}>
        <FieldError id={`${id}-error`}>{error}</FieldError>
      </div>
      {children}
    </fieldset>
  );
};

interface RowProps<Fields> {
  of: Fields;
  n: number;
  /** Left empty, it is no row. */
  spare: boolean;
  wrong: Record<string, string>;
}

const rowLook = "grid min-w-0 gap-4 rounded-md border border-line bg-sunken p-4 sm:grid-cols-2";

function TierRow({ of, n, spare, wrong }: RowProps<TierFields>) {
  const field = (name: keyof TierFields) => ({
    name: `tiers.${name}[]`,
    defaultValue: of[name],
    error: wrong[`tiers.${n}.${name}`],
    optional: spare,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would stand above the field that says the same
    <div aria-label={`Tier ${n + 1}`} className={rowLook} role="group">
      <div className="sm:col-span-2">
        <TextField {...field("name")} label={`Tier ${n + 1}`} maxLength={100} />
      </div>
      <TextField {...field("thresholdPoints")} inputMode="numeric" label="From points" />
      <TextField {...field("multiplier")} inputMode="decimal" label="Points multiplier" />
      <div className="sm:col-span-2">
        <TextareaField {...field("perks")} hint="One per line." label="Perks" optional rows={2} />
      </div>
    </div>
  );
}

function RuleRow({ of, n, spare, wrong }: RowProps<RuleFields>) {
  const field = (name: keyof RuleFields) => ({
    name: `rules.${name}[]`,
    defaultValue: of[name],
    error: wrong[`rules.${n}.${name}`],
    optional: spare,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would stand above the field that says the same
    <div aria-label={`Rule ${n + 1}`} className={rowLook} role="group">
      <TextField {...field("basis")} hint="What shoppers are told." label={`Rule ${n + 1}`} maxLength={500} />
      <TextField defaultValue={String(n + 1)} inputMode="numeric" label="Position" name="rules.order[]" optional />
      <TextField
        {...field("pointsPerUnit")}
        hint="Per unit of the store's currency."
        inputMode="decimal"
        label="Points"
      />
      <TextField {...field("bonusPoints")} hint="Added per item." inputMode="numeric" label="Bonus points" />
      <TextField {...field("productType")} hint="For example, Tents > Family." label="Only this category" optional />
      <TextField {...field("brand")} label="Only this brand" optional />
    </div>
  );
}
