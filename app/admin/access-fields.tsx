import { ChoicesField } from "~/ui/choices-field";
import { scopeChoices } from "~/ui/scopes";
import { TextField } from "~/ui/text-field";
import type { AccessValues } from "./access-form.server";
import type { Review } from "./review";

const MINUTES_A_DAY = 1440;

export const coverages = [
  {
    value: "default_on",
    label: "Default-on",
    detail: "Every store whose merchant has AI Discovery on and has not blocked the platform.",
  },
  { value: "explicit", label: "Explicit", detail: "Only stores whose merchants have granted the platform access." },
];

/** What an operator sets of a platform's access. */
export function AccessFields({
  values,
  errors,
  application,
  needsSource,
}: {
  values: AccessValues;
  errors: Record<string, string> | undefined;
  /** Whose expectation stands beside the limit. */
  application: Review["application"];
  /** In production links carry the platform's own credit. */
  needsSource: boolean;
}) {
  return (
    <>
      <ChoicesField
        choices={coverages}
        chosen={[values.coverage]}
        error={errors?.coverage}
        hint={needsSource ? undefined : "Applies in production. A sandbox reads only the demo store."}
        label="Coverage"
        name="coverage"
        single
      />
      <ChoicesField
        choices={scopeChoices()}
        chosen={values.scopes}
        error={errors?.scopes}
        label="Scopes"
        name="scopes[]"
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          defaultValue={values.rateLimit}
          error={errors?.rateLimit}
          hint={
            application
              ? `The application expects about ${Math.ceil(application.expectedRequestsPerDay / MINUTES_A_DAY)} on average.`
              : "Across all keys."
          }
          inputMode="numeric"
          label="Requests per minute"
          max={1_000_000}
          min={1}
          name="rateLimit"
          type="number"
        />
        <TextField
          defaultValue={values.maxKeys}
          error={errors?.maxKeys}
          hint="More keys add no throughput."
          inputMode="numeric"
          label="Maximum keys"
          max={1000}
          min={0}
          name="maxKeys"
          type="number"
        />
      </div>
      <TextField
        autoCapitalize="none"
        autoComplete="off"
        defaultValue={values.utmSource}
        error={errors?.utmSource}
        hint={
          needsSource
            ? "Added to every product_url, so that merchants see where shoppers came from. Must be unique."
            : "Assigned for production; sandbox links say aisle_sandbox. Must be unique."
        }
        label="utm_source"
        maxLength={100}
        mono
        name="utmSource"
        optional={!needsSource}
        spellCheck={false}
      />
    </>
  );
}
