import { Form } from "@remix-run/react";
import { useShown } from "~/lib/use-shown";
import { Button } from "~/ui/button";
import { SelectBox } from "~/ui/select-box";

/** Which of the merchant's stores a page is about; nothing where there is only one. Works without scripts. */
export function StoreChoice({ choices, chosen }: { choices: { slug: string; name: string }[]; chosen: string }) {
  const field = useShown<HTMLSelectElement>(chosen, { leads: true });
  if (choices.length < 2) return null;
  return (
    <Form className="flex items-center gap-2 max-sm:grow max-sm:basis-40 max-sm:*:grow" method="get">
      <SelectBox
        aria-label="Store"
        className="sm:max-w-80"
        defaultValue={chosen}
        field={field}
        name="store"
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
        options={choices.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
    </Form>
  );
}
