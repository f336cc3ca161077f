// Every page of the console, by who may see it: the sidebar and its order.
import {
  Bell,
  BookOpen,
  Building2,
  ChartColumn,
  CircleGauge,
  FileText,
  FlaskConical,
  History,
  Inbox,
  KeyRound,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  Package,
  ScrollText,
  Settings,
  Sparkles,
  Stethoscope,
  Store,
  UsersRound,
} from "lucide-react";

export interface NavItem {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Current also below this address, or, with `null`, only at its own; below its own where it is not given. */
  below?: string | null;
  /** A document of its own, loaded whole on the way in and out: its Content-Security-Policy is not that of the others. */
  ownDocument?: boolean;
}

export interface NavSection {
  /** Shown when a person has more than one section. */
  title: string;
  items: NavItem[];
}

export const developerNav: NavSection = {
  title: "Platform",
  items: [
    { to: "/console", label: "Overview", icon: LayoutDashboard, below: null },
    { to: "/console/keys", label: "Keys", icon: KeyRound },
    { to: "/console/coverage", label: "Coverage", icon: ListTree },
    { to: "/console/playground", label: "Playground", icon: FlaskConical, ownDocument: true },
    { to: "/console/usage", label: "Usage", icon: ChartColumn },
    { to: "/console/requests", label: "Requests", icon: ScrollText },
    { to: "/console/members", label: "Members", icon: UsersRound },
    { to: "/console/doctor", label: "Client doctor", icon: Stethoscope },
    { to: "/console/docs", label: "Docs", icon: BookOpen },
  ],
};

const merchantNav: NavSection = {
  title: "Merchant",
  items: [
    { to: "/merchant", label: "Stores", icon: Store, below: "/merchant/stores" },
    { to: "/merchant/agents", label: "AI Agents", icon: Sparkles },
    { to: "/merchant/catalogue", label: "Catalogue", icon: Package },
    { to: "/merchant/notifications", label: "Notifications", icon: Bell },
  ],
};

const operatorNav: NavSection = {
  title: "Operator",
  items: [
    { to: "/admin", label: "Review", icon: Inbox, below: "/admin/review" },
    { to: "/admin/consumers", label: "Consumers", icon: CircleGauge },
    { to: "/admin/merchants", label: "Merchants", icon: Building2 },
    { to: "/admin/usage", label: "Usage", icon: ChartColumn },
    { to: "/admin/requests", label: "Requests", icon: ScrollText },
    { to: "/admin/terms", label: "Terms", icon: FileText },
    { to: "/admin/settings", label: "Settings", icon: Settings },
    { to: "/admin/audit", label: "Audit", icon: History },
  ],
};

/** Is an address that of an item, or one which counts as its? */
export const isAt = (pathname: string, { to, below = to }: NavItem): boolean =>
  pathname === to || (below !== null && pathname.startsWith(`${below}/`));

/** The first page of the part of the site that an address is in. */
export const firstPageOf = (pathname: string): Pick<NavItem, "to" | "label"> | undefined =>
  [
    ...[developerNav, merchantNav, operatorNav].map(({ items }) => items[0]!),
    { to: "/account", label: "your account" },
    { to: "/docs", label: "the documentation" },
  ].find(({ to }) => pathname === to || pathname.startsWith(`${to}/`));

/** The page that an address is below: a list, of which the address names one. */
export const pageAbove = (pathname: string): Pick<NavItem, "to" | "label" | "below"> | undefined =>
  [developerNav, merchantNav, operatorNav].flatMap(({ items }) => items).find((item) => isAt(pathname, item)) ??
  firstPageOf(pathname);

/** What a person may have on the site, besides their own account. */
export interface Parts {
  platform: boolean;
  merchant: boolean;
  operator: boolean;
  /** Nothing of that yet, but an invitation that waits. */
  invited?: boolean;
}

/** The sidebar of a person with these parts; `platform` in the place of the usual one. */
export const sectionsOf = (parts: Parts, platform = developerNav): NavSection[] => [
  ...(parts.platform ? [platform] : []),
  ...(parts.merchant ? [merchantNav] : []),
  ...(parts.operator ? [operatorNav] : []),
];

/** Where a person begins. */
export function homeOf({ platform, merchant, operator, invited }: Parts): string {
  if (platform) return "/console";
  if (operator) return "/admin";
  if (merchant) return "/merchant";
  return invited ? "/invitation" : "/apply";
}

/** There, from wherever it is not known yet what a person has. */
export const ownPages = { to: "/console", label: "your pages" };
