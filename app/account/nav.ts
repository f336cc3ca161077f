// The matters of a person's own account, in the order of the sidebar.
import { ArrowLeft, DoorOpen, LockKeyhole, MonitorSmartphone, ShieldCheck, Trash2, UserRound } from "lucide-react";
import type { NavItem, NavSection } from "~/ui/nav";
import type { Home } from "~/ui/site-header";

/** `short`: for the tabs of a phone. */
export const matters: (NavItem & { short?: string })[] = [
  { to: "/account", label: "Profile", icon: UserRound, below: null },
  { to: "/account/password", label: "Password", icon: LockKeyhole },
  { to: "/account/two-factor", label: "Two-factor authentication", short: "Two-factor", icon: ShieldCheck },
  { to: "/account/sessions", label: "Sessions", icon: MonitorSmartphone },
  { to: "/account/access", label: "Access", icon: DoorOpen },
  { to: "/account/delete", label: "Delete account", short: "Delete", icon: Trash2 },
];

/** @param home where the person came from, most likely */
export const accountNav = (home: Home): NavSection => ({
  title: "Account",
  items: [{ ...home, icon: ArrowLeft }, ...matters],
});
