import { Form, Link } from "@remix-run/react";
import { LifeBuoy, LogOut, UserRound } from "lucide-react";
import { useWhosePage } from "~/lib/whose-page";
import { initials } from "./initials";
import { Menu, menuItemLook } from "./menu";
import { useSupport } from "./support";

export interface AccountShown {
  id: string;
  name: string;
  email: string;
}

/** Who is logged in, the way to the account's settings, and out. */
export function AccountMenu({ id, name, email }: AccountShown) {
  useWhosePage(id, email);
  const support = useSupport();
  return (
    <Menu
      label={`Account of ${name}`}
      trigger={initials(name)}
      triggerClassName="flex size-8 select-none items-center justify-center rounded-full bg-raised font-medium text-ink text-xs ring-1 ring-line ring-inset hover:bg-line pointer-coarse:size-10"
    >
      <div className="flex flex-col px-2.5 py-2">
        <span className="truncate font-medium text-sm" dir="auto">
          {name}
        </span>
        <span className="truncate text-[0.8125rem] text-muted">{email}</span>
      </div>
      <hr className="-mx-1 my-1 border-line" />
      <Link className={menuItemLook} to="/account">
        <UserRound aria-hidden />
        Account and sessions
      </Link>
      {support && (
        <a className={menuItemLook} href={support}>
          <LifeBuoy aria-hidden />
          Contact support
        </a>
      )}
      <Form action="/logout" method="post">
        <button className={menuItemLook} type="submit">
          <LogOut aria-hidden />
          Log out
        </button>
      </Form>
    </Menu>
  );
}
