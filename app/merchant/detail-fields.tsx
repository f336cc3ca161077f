import { type ReactNode, useId } from "react";
import type { FormErrors } from "~/lib/api.server";
import { cx } from "~/ui/cx";
import { controlLook, FieldError, FieldHint } from "~/ui/field";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

/** The names of the form's fields, in their order. */
export const detailFields = [
  ...(["street", "postalCode", "locality", "region", "country"] as const),
  ...days,
  ...(["payment", "currencies"] as const),
  ...(["shippingPolicy", "returnDays", "returnFees", "returnMethod", "returnUrl"] as const),
  "links",
] as const;

type DetailValues = Record<(typeof detailFields)[number], string>;

interface Props {
  values: DetailValues;
  /** The store's own. */
  currency: string;
  errors: FormErrors | undefined;
  /** What stands by now, where somebody else has changed something since the form was shown. */
  saved: DetailValues | undefined;
}

/** Where a store is, when it is open, how one pays, how it sends and takes back, and its other pages. */
export function DetailFields({ values, currency, errors, saved }: Props) {
  const field = (name: keyof DetailValues, hint?: string) => ({
    name,
    hint: savedNow(name) ?? hint,
    defaultValue: values[name],
    error: errors?.fields[name],
    optional: "untold" as const,
  });
  const savedNow = (name: keyof DetailValues) =>
    saved && saved[name] !== values[name] ? <SavedNow value={saved[name]} /> : undefined;
  const plain = { autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;
  return (
    <div className="divide-y divide-line">
      <Section title="Address">
        <TextField {...field("street")} autoComplete="off" label="Street and number" maxLength={200} />
        <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
          <TextField {...field("postalCode")} autoComplete="off" label="Postal code" maxLength={50} />
          <TextField {...field("locality")} autoComplete="off" label="City" maxLength={200} />
        </div>
        <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <TextField
            {...field("region", "State, county or province.")}
            autoComplete="off"
            label="Region"
            maxLength={200}
          />
          <TextField
            {...field("country", "Two letters, such as DE.")}
            {...plain}
            autoCapitalize="characters"
            label="Country"
            maxLength={100}
          />
        </div>
      </Section>
      <Section
        description="In the store's own time, such as 09:00–18:00, or with a break: 09:00–12:30, 14:00–18:00. A day without hours is closed; without any, agents are told of no hours."
        title="Opening hours"
      >
        <div className="flex flex-col gap-2.5">
          {days.map((day) => (
            <DayField
              {...field(day)}
              hint={savedNow(day)}
              key={day}
              label={day.slice(0, 1).toUpperCase() + day.slice(1)}
            />
          ))}
        </div>
      </Section>
      <Section title="Payment">
        <TextField
          {...field("payment", "With a comma between two, such as Visa, PayPal, Gift card.")}
          autoComplete="off"
          label="Accepted payment"
          maxLength={5000}
        />
        <TextField
          {...field("currencies", `Codes such as EUR, if your product feed has prices in others than ${currency}.`)}
          {...plain}
          autoCapitalize="characters"
          label="Further currencies"
          maxLength={500}
        />
      </Section>
      <Section description="In a few sentences; longer answers belong under Policies." title="Shipping and returns">
        <TextareaField
          {...field("shippingPolicy", "Where you send, what it costs and how long it takes.")}
          label="Shipping"
          maxLength={20_000}
        />
        <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
          <TextField
            {...field("returnDays", "0: nothing is taken back.")}
            {...plain}
            inputMode="numeric"
            label="Days to return"
            maxLength={12}
          />
          <TextField
            {...field("returnFees", "Who pays, such as: customer pays return shipping.")}
            autoComplete="off"
            label="Return fees"
            maxLength={500}
          />
        </div>
        <TextField
          {...field("returnMethod", "Such as: by mail or in store.")}
          autoComplete="off"
          label="How to return"
          maxLength={500}
        />
        <TextField
          {...field("returnUrl")}
          {...plain}
          inputMode="url"
          label="Page about returns"
          maxLength={2000}
          placeholder="https://"
        />
      </Section>
      <Section
        description="Pages of your site, and profiles elsewhere, that agents may send shoppers to."
        title="Other pages"
      >
        <TextareaField
          {...field("links", "One a line: what it is, then its address.")}
          {...plain}
          label="Pages"
          maxLength={100_000}
          placeholder={"about https://shop.example/about\ninstagram https://instagram.com/shop"}
          rows={Math.min(15, Math.max(5, values.links.split("\n").length + 1))}
        />
      </Section>
    </div>
  );
}

const SavedNow = ({ value }: { value: string }) => (
  <>
    Saved now: {value === "" ? "nothing" : <span className="wrap-anywhere whitespace-pre-line text-ink">{value}</span>}
  </>
);

/** On a wide window its fields stand beside what they are about. */
function Section({ title, description, children }: { title: string; description?: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset
      aria-describedby={description && `${id}-about`}
      aria-labelledby={id}
      className="grid min-w-0 gap-x-10 gap-y-4 px-4 py-6 md:px-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
    >
      <div className="flex flex-col gap-1">
        <h3 className="font-semibold text-sm leading-6" id={id}>
          {title}
        </h3>
        {description && (
          <p className="text-pretty text-[0.8125rem] text-muted leading-5" id={`${id}-about`}>
            {description}
          </p>
        )}
      </div>
      <div className="flex min-w-0 max-w-2xl flex-col gap-5">{children}</div>
    </fieldset>
  );
}

interface Day {
  label: string;
  name: string;
  defaultValue: string;
  hint: ReactNode;
  error: string | undefined;
}

/** One line of a timetable. */
function DayField({ label, name, defaultValue, hint, error }: Day) {
  const id = useId();
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-1">
      <label className="text-sm" htmlFor={id}>
        {label}
      </label>
      <input
        aria-describedby={cx(error && `${id}-error`, hint !== undefined && `${id}-hint`) || undefined}
        aria-invalid={error ? true : undefined}
        autoComplete="off"
        className={cx(controlLook, "h-9 tabular-nums pointer-coarse:h-11")}
        defaultValue={defaultValue}
        id={id}
        maxLength={200}
        name={name}
        placeholder="Closed"
        spellCheck={false}
        type="text"
      />
      <div className="col-start-2 flex flex-col gap-1 empty:hidden">
        <FieldError id={`${id}-error`}>{error}</FieldError>
        <FieldHint id={`${id}-hint`}>{hint}</FieldHint>
      </div>
    </div>
  );
}
