import { Form } from "@remix-run/react";
import { ChevronsUpDown } from "lucide-react";
import { useShown } from "~/lib/use-shown";
import { Button } from "~/ui/button";
import { cx } from "~/ui/cx";
import { controlLook } from "~/ui/field";

/** Which of the merchant's stores a page is about; nothing where there is only one. Works without scripts. */
export function StoreChoice({ choices, chosen }: { choices: { slug: string; name: string }[]; chosen: string }) {
  const field = useShown<HTMLSelectElement>(chosen);
  if (choices.length < 2) return null;
  return (
    <Form className="flex items-center gap-2" method="get">
      <div className="relative">
        <select
          aria-label="Store"
          className={cx(controlLook, "h-9 max-w-60 appearance-none truncate pr-9 pointer-coarse:h-11")}
          defaultValue={chosen}
          name="store"
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
          ref={field}
        >
          {choices.map(({ slug, name }) => (
            <option dir="auto" key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-3 my-auto size-3.5 text-faint"
        />
      </div>
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
    </Form>
  );
}
