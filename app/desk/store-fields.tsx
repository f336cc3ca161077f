import type { ReactNode } from "react";
import type { FormErrors } from "~/lib/api.server";
import { fieldError } from "~/lib/field-error";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";

/** The names of the form's fields, in their order. */
export const storeFields = [
  "name",
  "legalName",
  "url",
  "country",
  "currency",
  "languages",
  "categories",
  "description",
  "logo",
  "contactEmail",
  "contactPhone",
  "contactUrl",
] as const;

export type StoreValues = Record<(typeof storeFields)[number], string>;

/** What was typed, as the procedures take it: lists come separated by commas. */
export const storeInput = ({ languages, categories, ...rest }: StoreValues) => ({
  ...rest,
  languages: listed(languages),
  categories: listed(categories),
});

const listed = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** A name in the place of a code is refused, never cut to another's code: "De" of Denmark is Germany. */
const NAME_LENGTH = 100;

/** A store's profile, as get_store_info tells it to agents. */
export function StoreFields({
  values,
  errors,
  children,
}: {
  values: Partial<StoreValues>;
  errors: FormErrors | undefined;
  /** What stands below the names. */
  children?: ReactNode;
}) {
  const field = (name: keyof StoreValues) => ({
    name,
    defaultValue: values[name],
    error: fieldError(errors?.fields, name),
  });
  return (
    <>
      <div className="grid items-start gap-x-5 gap-y-6 sm:grid-cols-2">
        <TextField {...field("name")} autoComplete="off" label="Name" maxLength={200} />
        <TextField {...field("legalName")} autoComplete="off" label="Legal name" maxLength={200} optional />
      </div>
      {children}
      <TextField
        {...field("url")}
        autoCapitalize="none"
        hint="The store's own site, where shoppers buy."
        inputMode="url"
        label="Website"
        maxLength={2000}
        placeholder="https://shop.example"
        spellCheck={false}
      />
      <div className="grid items-start gap-x-5 gap-y-6 sm:max-md:grid-cols-3 lg:grid-cols-3">
        <TextField
          {...field("country")}
          autoCapitalize="characters"
          autoComplete="off"
          hint="ISO 3166-1, such as DE."
          label="Country"
          maxLength={NAME_LENGTH}
          spellCheck={false}
        />
        <TextField
          {...field("currency")}
          autoCapitalize="characters"
          autoComplete="off"
          hint="ISO 4217, such as EUR."
          label="Currency"
          maxLength={NAME_LENGTH}
          spellCheck={false}
        />
        <TextField
          {...field("languages")}
          autoCapitalize="none"
          autoComplete="off"
          hint="Such as en, de-AT."
          label="Languages"
          maxLength={500}
          optional
          spellCheck={false}
        />
      </div>
      <TextField
        {...field("categories")}
        autoComplete="off"
        hint="What it sells, separated by commas; agents find stores by category. If left empty, they are taken from its products."
        label="Categories"
        maxLength={2000}
        optional
      />
      <TextareaField {...field("description")} label="Description" maxLength={5000} optional />
      <TextField
        {...field("logo")}
        autoCapitalize="none"
        inputMode="url"
        label="Logo"
        maxLength={2000}
        optional
        placeholder="https://shop.example/logo.svg"
        spellCheck={false}
      />
      <div className="grid items-start gap-x-5 gap-y-6 sm:max-md:grid-cols-3 lg:grid-cols-3">
        <TextField
          {...field("contactEmail")}
          autoCapitalize="none"
          autoComplete="off"
          label="Email for shoppers"
          maxLength={254}
          optional
          spellCheck={false}
          type="email"
        />
        <TextField {...field("contactPhone")} autoComplete="off" label="Phone for shoppers" maxLength={50} optional />
        <TextField
          {...field("contactUrl")}
          autoCapitalize="none"
          autoComplete="off"
          inputMode="url"
          label="Contact page"
          maxLength={2000}
          optional
          spellCheck={false}
        />
      </div>
    </>
  );
}
