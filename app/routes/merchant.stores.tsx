// The pages of single stores; the list of them is the merchant's first page.
import { Outlet } from "@remix-run/react";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const handle = { crumb: "Stores" };

export default function OwnStores() {
  return <Outlet />;
}
