export { RouteError as ErrorBoundary } from "~/ui/route-error";

export const handle = { crumb: "Stores" };
