import { CheckboxField } from "~/ui/checkbox-field";
import { ChoicesField } from "~/ui/choices-field";
import { type Asked, FormDialog } from "~/ui/form-dialog";
import { ShownVersion } from "~/ui/shown-version";
import { TextField } from "~/ui/text-field";
import { TextareaField } from "~/ui/textarea-field";
import type { Promotion } from "./promotion";

const texts = [
  "promotionId",
  "title",
  "code",
  "percentOff",
  "moneyOff",
  "minimumPurchase",
  "products",
  "startsAt",
  "endsAt",
  "finePrint",
  "url",
  "shown",
] as const;

type PromotionFields = Record<(typeof texts)[number], string> & {
  channels: string[];
  freeShipping: boolean;
  stackable: boolean;
};

/** What was typed into the form below. */
export const promotionFields = (values: Record<string, string | string[]>): PromotionFields => ({
  ...(Object.fromEntries(texts.map((name) => [name, String(values[name] ?? "")])) as Record<
    (typeof texts)[number],
    string
  >),
  channels: Array.isArray(values.channels) ? values.channels : [],
  freeShipping: "freeShipping" in values,
  stackable: "stackable" in values,
});

/** To the minute, as a date and time field has it, in UTC. */
const minute = (at: Date) => new Date(at).toISOString().slice(0, 16);

const fieldsOf = (of: Promotion): PromotionFields => ({
  promotionId: of.promotionId,
  title: of.title,
  code: of.code ?? "",
  percentOff: of.percentOff === null ? "" : String(of.percentOff),
  moneyOff: of.moneyOff?.typed ?? "",
  minimumPurchase: of.minimumPurchase?.typed ?? "",
  products: of.productIds?.join("\n") ?? "",
  startsAt: minute(of.startsAt),
  endsAt: minute(of.endsAt),
  shown: of.version,
  finePrint: of.finePrint ?? "",
  url: of.url ?? "",
  channels: of.channels,
  freeShipping: of.freeShipping,
  stackable: of.stackable,
});

const channels = [
  { value: "online", label: "Online" },
  { value: "in_store", label: "In store" },
];

/** A new promotion, or one to be changed, which may have been removed meanwhile. */
export function PromotionDialog({
  id,
  of,
  closeTo,
  errors,
  kept,
}: Asked & {
  id: string | null;
  of: Promotion | undefined;
  kept: PromotionFields | undefined;
}) {
  const shown: Partial<PromotionFields> = kept ?? (of ? fieldsOf(of) : { channels: ["online"] });
  const field = (name: (typeof texts)[number]) => ({
    name,
    defaultValue: shown[name],
    error: errors?.fields[name],
  });
  return (
    <FormDialog
      closeTo={closeTo}
      errors={errors}
      intent="save"
      label="Save"
      size="lg"
      title={id === null ? "Add a promotion" : `Edit “${of?.title ?? id}”`}
    >
      <input name="existing" type="hidden" value={id ?? ""} />
      {id !== null && (
        <ShownVersion errors={errors} name="shown" newest={of?.version ?? kept?.shown ?? ""} posted={kept?.shown} />
      )}
      <TextField {...field("title")} hint="What shoppers read." label="Title" maxLength={200} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          {...field("promotionId")}
          hint={id !== null ? "It cannot be changed." : "Your own, for example SPRING-15."}
          label="Id"
          maxLength={50}
          mono
          readOnly={id !== null}
        />
        <TextField
          {...field("code")}
          hint="What shoppers enter at checkout."
          label="Code"
          maxLength={50}
          mono
          optional
        />
        <TextField
          {...field("percentOff")}
          hint="Or give an amount, or free shipping."
          inputMode="numeric"
          label="Percent off"
          optional
          placeholder="15"
        />
        <TextField {...field("moneyOff")} inputMode="decimal" label="Amount off" optional placeholder="5.00" />
        <TextField
          {...field("minimumPurchase")}
          hint="In your store's currency, or name one: 50.00 EUR."
          inputMode="decimal"
          label="Minimum basket"
          optional
          placeholder="50.00"
        />
        <div className="flex flex-col gap-3 sm:pt-8">
          <CheckboxField defaultChecked={shown.freeShipping} label="Free shipping" name="freeShipping" />
          <CheckboxField defaultChecked={shown.stackable} label="Can be combined with others" name="stackable" />
        </div>
        <TextField {...field("startsAt")} label="Starts (UTC)" type="datetime-local" />
        <TextField {...field("endsAt")} label="Ends (UTC)" type="datetime-local" />
      </div>
      <ChoicesField
        choices={channels}
        chosen={shown.channels}
        error={errors?.fields.channels}
        label="Where it applies"
        name="channels[]"
      />
      <TextareaField
        {...field("products")}
        hint="Ids of products or variants, one per line. Leave empty for all products."
        label="Products"
        mono
        optional
        rows={3}
      />
      <TextareaField
        {...field("finePrint")}
        hint="Agents are asked to tell shoppers."
        label="Conditions"
        optional
        rows={2}
      />
      <TextField {...field("url")} inputMode="url" label="Page" optional placeholder="https://" />
    </FormDialog>
  );
}
