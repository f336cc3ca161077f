// Every address that no other route has.
export { nowhere as action, nowhere as loader } from "~/lib/nowhere.server";

/** Never rendered: what the loader throws is shown by the error boundary. Without a component this were a resource route. */
export default function Nowhere() {
  return null;
}
