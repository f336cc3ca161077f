// Where the documentation lies in the console's breadcrumb.
import { Outlet } from "@remix-run/react";

export const handle = { crumb: "Docs" };

export default function DocsOutlet() {
  return <Outlet />;
}
