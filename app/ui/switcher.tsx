import { Form, useLocation } from "@remix-run/react";
import { Check, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Menu, menuItemLook } from "./menu";

/** Which of a person's consumers, or merchants, the pages show. Posts `field` and `redirectTo` to `action`. */
export function Switcher({
  choices,
  currentId,
  label,
  field,
  action,
  redirectTo,
}: {
  /** `badge`: beside the name of one that is not on show. */
  choices: { id: string; name: string; badge?: ReactNode }[];
  currentId: string;
  label: string;
  field: string;
  action: string;
  /** The page that it is on unless given. */
  redirectTo?: string | undefined;
}) {
  const { pathname } = useLocation();
  return (
    <Menu
      align="left"
      label={label}
      trigger={
        <>
          <span className="min-w-0 grow truncate text-left font-medium text-sm" dir="auto">
            {choices.find(({ id }) => id === currentId)?.name}
          </span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </>
      }
      triggerClassName="flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-2.5 shadow-card hover:bg-raised"
    >
      <Form action={action} method="post">
        <input name="redirectTo" type="hidden" value={redirectTo ?? pathname} />
        {choices.map(({ id, name, badge }) => (
          <button
            aria-pressed={id === currentId}
            className={cx(menuItemLook, "flex-wrap gap-y-0.5 [&>.grow]:basis-28")}
            key={id}
            name={field}
            type="submit"
            value={id}
          >
            <span className="wrap-anywhere min-w-0 grow text-left" dir="auto">
              {name}
            </span>
            {id === currentId ? <Check aria-label="Shown now" /> : badge}
          </button>
        ))}
      </Form>
    </Menu>
  );
}
