// The frame of the catalogue's pages: their place in the breadcrumb.
import { Outlet } from "@remix-run/react";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const handle = { crumb: "Catalogue" };

export default function Frame() {
  return <Outlet />;
}
