import { Form, useLocation } from "@remix-run/react";
import { Check, ChevronsUpDown } from "lucide-react";
import { Menu, menuItemLook } from "./menu";
import { type ConsumerState, TierBadge } from "./tier-badge";

export interface SwitchableConsumer {
  id: string;
  name: string;
  state: ConsumerState;
}

/** Which of a person's consumers the console shows. Posts `consumerId` and `redirectTo` to `action`. */
export function Switcher({
  consumers,
  currentId,
  action,
}: {
  consumers: SwitchableConsumer[];
  currentId: string;
  action: string;
}) {
  const { pathname } = useLocation();
  const current = consumers.find(({ id }) => id === currentId);
  return (
    <Menu
      align="left"
      label="Change to another platform"
      trigger={
        <>
          <span className="min-w-0 grow truncate font-medium text-sm">{current?.name ?? "Choose a platform"}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </>
      }
      triggerClassName="flex h-9 items-center gap-2 rounded-md border border-line bg-surface px-2.5 shadow-card hover:bg-raised"
    >
      <Form action={action} method="post">
        <input name="redirectTo" type="hidden" value={pathname} />
        {consumers.map(({ id, name, state }) => (
          <button
            aria-pressed={id === currentId}
            className={menuItemLook}
            key={id}
            name="consumerId"
            type="submit"
            value={id}
          >
            <span className="min-w-0 grow truncate">{name}</span>
            {id === currentId ? <Check aria-label="Shown now" /> : <TierBadge state={state} />}
          </button>
        ))}
      </Form>
    </Menu>
  );
}
