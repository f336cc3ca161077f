import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";

/** The names of the application form's fields, in their order. */
export const applicationFields = [
  "productName",
  "platform",
  "shopperUse",
  "expectedRequestsPerDay",
  "company",
  "website",
  "technicalContactEmail",
] as const;

type ApplicationValues = Partial<Record<(typeof applicationFields)[number], string | number>>;

/** The application form: filled in once at `/apply`, and again while the application is under review. */
export function ApplicationFields({
  values,
  errors,
  websiteHint,
}: {
  values: ApplicationValues;
  errors: Record<string, string> | undefined;
  websiteHint?: string;
}) {
  const field = (name: keyof ApplicationValues) => ({ name, defaultValue: values[name], error: errors?.[name] });
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField {...field("productName")} label="Agent or product name" maxLength={100} />
        <TextField
          {...field("platform")}
          label="Platform it runs on"
          maxLength={100}
          placeholder="ChatGPT, web app, WhatsApp…"
        />
      </div>
      <TextareaField
        {...field("shopperUse")}
        hint="What shoppers ask, what your agent does with the answer, and where they end up."
        label="How shoppers will use it"
        maxLength={5000}
        rows={4}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField {...field("company")} autoComplete="organization" label="Company" maxLength={200} />
        <TextField
          {...field("website")}
          autoCapitalize="none"
          autoComplete="url"
          hint={websiteHint}
          inputMode="url"
          label="Website"
          maxLength={500}
          placeholder="example.com"
          spellCheck={false}
        />
        <TextField
          {...field("technicalContactEmail")}
          autoCapitalize="none"
          autoComplete="email"
          hint="For notices about the API and its operation."
          label="Technical contact email"
          maxLength={254}
          spellCheck={false}
          type="email"
        />
        <TextField
          {...field("expectedRequestsPerDay")}
          hint="An estimate will do."
          inputMode="numeric"
          label="Expected requests per day"
          max={1_000_000_000}
          min={1}
          step={1}
          type="number"
        />
      </div>
    </>
  );
}
