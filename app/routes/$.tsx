// Every address that no other route has.
export function loader(): never {
  throw Response.json(null, { status: 404 });
}
export { loader as action };

/** Never rendered: what the loader throws is shown by the error boundary. Without a component this were a resource route. */
export default function Nowhere() {
  return null;
}
