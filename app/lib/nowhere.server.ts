/** The loader and the action of every address that no other route has. */
export function nowhere(): never {
  throw Response.json(null, { status: 404 });
}
