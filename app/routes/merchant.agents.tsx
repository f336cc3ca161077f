// AI Agents: the list and the page of each platform.
import { Outlet } from "@remix-run/react";

export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const handle = { crumb: "AI Agents" };

export default function Agents() {
  return <Outlet />;
}
