// Every address below that no other route has: said inside the frame, so that its menu leads on.
export { nowhere as action, nowhere as loader } from "~/lib/nowhere.server";
export { RouteError as ErrorBoundary } from "~/ui/route-error";

/** Never rendered: what the loader throws is shown by the error boundary. */
export default function Nowhere() {
  return null;
}
