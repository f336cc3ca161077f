// The frame of a person's own account: one tab a matter, each with a form of its own.
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { DoneNote } from "~/account/notes";
import { load } from "~/lib/api.server";
import { developerNav, operatorNav } from "~/ui/nav";
import { PageHeader } from "~/ui/page-header";
import { Shell } from "~/ui/shell";
import { Tabs } from "~/ui/tabs";

export const handle = { crumb: "Account" };

export const loader = (args: LoaderFunctionArgs) =>
  load(args, async (api) => {
    const [{ name, email }, me] = await Promise.all([api.account.profile(), api.account.me()]);
    return { account: { name, email }, isOperator: me?.isOperator === true };
  });

const tabs: [label: string, to: string][] = [
  ["Profile", "/account"],
  ["Password", "/account/password"],
  ["Sessions", "/account/sessions"],
  ["Delete account", "/account/delete"],
];

export default function Account() {
  const { account, isOperator } = useLoaderData<typeof loader>();
  const pathname = useLocation().pathname.replace(/\/$/, "");
  return (
    <Shell account={account} sections={isOperator ? [developerNav, operatorNav] : [developerNav]}>
      <PageHeader description={`You are logged in as ${account.email}.`} title="Account" />
      <Tabs label="Account" tabs={tabs.map(([label, to]) => ({ label, to, current: pathname === to }))} />
      <DoneNote />
      <Outlet />
    </Shell>
  );
}
